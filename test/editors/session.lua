-- What scripts that drive a real Neovim share: waiting, looking, and saying at the end what was seen.
local M = { root = vim.env.CODEPLAN_TEST_ROOT, seen = { messages = {} } }

vim.notify = function(text) table.insert(M.seen.messages, text) end

function M.until_true(what, condition)
  if not vim.wait(120000, condition, 20) then
    io.stdout:write('waited in vain for ' .. what .. '\n' .. vim.inspect(M.seen) .. '\n')
    vim.cmd('cquit 1')
  end
end

function M.buffer_of(file) return vim.fn.bufnr(M.root .. '/' .. file) end
function M.lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end

--- Opens files and waits until the repository is read: what is there by then is no edit.
function M.open(files)
  for _, file in ipairs(files) do vim.cmd('edit ' .. M.root .. '/' .. file) end
  local client = require('codeplan.client')
  M.until_true('a client', function() return client.of() ~= nil end)
  local state
  M.until_true('the index', function()
    if state ~= 'asked' and state ~= 'ready' then
      state = 'asked'
      client.request(client.of(), 'codeplan/status', vim.empty_dict(), function(status) state = status.state end)
    end
    return state == 'ready'
  end)
end

--- Prints what was seen as one line of JSON, and ends the editor.
function M.finish()
  io.stdout:write('\n' .. vim.json.encode(M.seen) .. '\n')
  vim.cmd('qall!')
end

return M
