-- `:Codeplan {what}`: one function for each word that the command knows.
local client = require('codeplan.client')

local M = {}

--- Optional. `enabled`, `command`, `environment`, `settings`, `lenses`: the same as the variables `g:codeplan_…`.
function M.setup(options)
  for name, value in pairs(options or {}) do
    vim.g['codeplan_' .. name] = value
  end
end

--- What is left, as the quickfix list.
local function list(connection)
  client.request(connection, 'codeplan/left', vim.empty_dict(), function(report)
    local items = {}
    for _, entry in ipairs(report.entries) do
      if entry.state ~= 'dismissed' then
        items[#items + 1] = {
          filename = connection.config.root_dir .. '/' .. entry.file,
          lnum = entry.line,
          col = entry.column + 1,
          type = entry.tier == 'breaks' and 'W' or 'I',
          text = entry.block .. ': ' .. entry.fact .. (entry.beside == '' and '' or ' (' .. entry.beside .. ')'),
        }
      end
    end
    for _, place in ipairs(report.undecided) do
      items[#items + 1] = { filename = connection.config.root_dir .. '/' .. place.file, lnum = place.line, type = 'N', text = 'not decided: ' .. place.reason }
    end
    local said = 'codeplan: ' .. table.concat(report.says, '; ')
    vim.fn.setqflist({}, ' ', { title = said, items = items })
    if #items > 0 then
      vim.cmd('copen')
    else
      vim.notify(said)
    end
  end)
end

local function status(connection)
  client.request(connection, 'codeplan/status', vim.empty_dict(), function(state)
    vim.notify(string.format('codeplan %s: %s, %d files, %d blocks, watching: %s, %s', state.version, state.state, state.files, state.blocks, state.watch.mode, state.root))
  end)
end

local COMMANDS = {
  list = list,
  status = status,
  plan = function(connection, request)
    if request == '' then
      require('codeplan.plan').open(connection)
    else
      require('codeplan.request').open(connection, request)
    end
  end,
  next = function(connection) require('codeplan.next').go(connection) end,
  propagate = function(connection) require('codeplan.plan').propagate(connection) end,
  undo = function(connection)
    client.execute(connection, 'codeplan.undo', vim.empty_dict(), function() end)
  end,
  page = function(connection)
    client.request(connection, 'codeplan/page', vim.empty_dict(), function(page)
      if vim.ui.open then
        vim.ui.open(page.url)
      end
      vim.notify('codeplan: ' .. page.url)
    end)
  end,
  rename = function(connection, given) require('codeplan.refactor').rename(connection, given) end,
  move = function(connection, given) require('codeplan.refactor').move(connection, given) end,
  signature = function(connection, given) require('codeplan.refactor').signature(connection, given) end,
  settle = function(connection)
    client.request(connection, 'codeplan/settle', vim.empty_dict(), function() vim.notify('codeplan: what is there now is settled') end)
  end,
}

--- Those that work on the plan, or on what is under way, from any buffer.
local OF_PLAN = {
  accept = function(id) require('codeplan.plan').accept(id) end,
  reject = function(id) require('codeplan.plan').reject(id) end,
  diff = function(id) require('codeplan.plan').diff(id) end,
  why = function(id) require('codeplan.plan').why(id) end,
  apply = function() require('codeplan.plan').apply() end,
  take = function() require('codeplan.next').take() end,
  skip = function() require('codeplan.next').skip() end,
  dismiss = function() require('codeplan.next').dismiss() end,
  value = function() require('codeplan.next').value() end,
  cancel = function()
    if not require('codeplan.request').stop() and not client.cancel() then
      vim.notify('codeplan: nothing is under way')
    end
  end,
}

function M.run(arguments)
  local name = arguments[1] or 'list'
  if OF_PLAN[name] then
    OF_PLAN[name](arguments[2])
  elseif COMMANDS[name] then
    local connection = client.needed()
    if connection then
      COMMANDS[name](connection, table.concat(vim.list_slice(arguments, 2), ' '))
    end
  else
    vim.notify('codeplan: there is no "' .. name .. '"; there are ' .. table.concat(M.complete('', ''), ', '), vim.log.levels.ERROR)
  end
end

function M.complete(lead)
  local names = vim.tbl_filter(function(name) return vim.startswith(name, lead) end, vim.list_extend(vim.tbl_keys(COMMANDS), vim.tbl_keys(OF_PLAN)))
  table.sort(names)
  return names
end

--- For a status line: how much the latest edit affects; empty when nothing.
function M.statusline()
  local connection = client.of()
  local counts = connection and client.counts[connection.id]
  if not counts or counts.affected == 0 then
    return ''
  end
  return string.format('CP:%d', counts.affected)
end

return M
