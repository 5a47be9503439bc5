-- One key to the next place that is left: where it is, what would change there, and what to do with it.
-- The server says the place, its edit and the words; here they are shown, as virtual text and lines.
local client = require('codeplan.client')

local M = {}

local shown_by = vim.api.nvim_create_namespace('codeplan-next')
--- The place that is shown: { client, report, buffer }, and as `wanted` what is to be done once its edit is known.
local current

local function clear()
  if current and vim.api.nvim_buf_is_valid(current.buffer) then
    vim.api.nvim_buf_clear_namespace(current.buffer, shown_by, 0, -1)
  end
end

local function virtual(lines, group)
  return vim.tbl_map(function(line) return { { line == '' and ' ' or line, group } } end, lines)
end

--- Byte column of a column in UTF-16 units.
local function byte_column(line, column)
  local ok, byte = pcall(vim.str_byteindex, line, column, true)
  return ok and byte or #line
end

--- Shows the edit as a small difference: what goes is marked, what comes stands below it.
local function show(report, buffer)
  local place, last = report.place, vim.api.nvim_buf_line_count(buffer)
  local row = math.min(place.line, last) - 1
  local count = string.format('  %s  (%s)', report.says[1], report.standing)
  vim.api.nvim_buf_set_extmark(buffer, shown_by, row, 0, { virt_text = { { count, 'Comment' } }, hl_mode = 'combine' })
  for _, change in ipairs(report.edit and report.edit.lines or {}) do
    local first = math.min(change.line, last + 1) - 1
    for n = first, math.min(first + #change.removed, last) - 1 do
      vim.api.nvim_buf_set_extmark(buffer, shown_by, n, 0, { end_row = n + 1, hl_group = 'DiffDelete', hl_eol = true, strict = false })
    end
    local anchor = first + #change.removed - 1
    vim.api.nvim_buf_set_extmark(buffer, shown_by, math.max(anchor, 0), 0, {
      virt_lines = virtual(change.added, 'DiffAdd'),
      virt_lines_above = anchor < 0,
    })
  end
  local more = vim.list_slice(report.says, 2)
  if #more > 0 then
    vim.api.nvim_buf_set_extmark(buffer, shown_by, row, 0, { virt_lines = virtual(vim.tbl_map(function(line) return '  ' .. line end, more), 'Comment') })
  end
end

local function go_to(connection, place)
  local buffer = vim.fn.bufadd(connection.config.root_dir .. '/' .. place.file)
  vim.fn.bufload(buffer)
  vim.bo[buffer].buflisted = true
  if buffer ~= vim.api.nvim_get_current_buf() then
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_buf(0, buffer)
  end
  local row = math.min(place.line, vim.api.nvim_buf_line_count(buffer))
  local line = vim.api.nvim_buf_get_lines(buffer, row - 1, row, false)[1] or ''
  vim.api.nvim_win_set_cursor(0, { row, byte_column(line, place.column) })
  return buffer
end

--- Where the cursor is, as the server counts. Nothing outside of the root.
local function here(connection)
  local root = connection.config.root_dir .. '/'
  local path = vim.loop.fs_realpath(vim.api.nvim_buf_get_name(0)) or ''
  if not vim.startswith(path, root) then
    return vim.empty_dict()
  end
  return { file = path:sub(#root + 1), line = vim.api.nvim_win_get_cursor(0)[1] }
end

--- Shows what the server says of the place in this buffer.
local function present(connection, report, buffer)
  report.edit = report.edit ~= vim.NIL and report.edit or nil
  report.asks = report.asks ~= vim.NIL and report.asks or nil
  clear()
  current = { client = connection, report = report, buffer = buffer }
  show(report, buffer)
end

local function has_place(report) return report.place and report.place ~= vim.NIL end

--- Shows the edit of the place as soon as it is worked out, if the person is still there and nothing was typed.
local function follow_up(connection, place, buffer, tick)
  local at = { file = place.file, line = place.line, column = place.column }
  client.request(connection, 'codeplan/next', at, function(report)
    local is_shown = current and current.report.place.id == place.id and vim.api.nvim_buf_is_valid(buffer)
    if is_shown and vim.api.nvim_buf_get_changedtick(buffer) == tick and has_place(report) and report.place.id == place.id then
      local wanted = current.wanted
      present(connection, report, buffer)
      if wanted then
        wanted()
      end
    end
  end)
end

--- Goes to the next place and shows it.
function M.go(connection)
  clear()
  local where = vim.tbl_extend('force', here(connection), { early = true })
  client.request(connection, 'codeplan/next', where, function(report)
    clear()
    current = nil
    if not has_place(report) then
      vim.notify('codeplan: ' .. table.concat(report.says, '\n'))
      return
    end
    local buffer = go_to(connection, report.place)
    present(connection, report, buffer)
    -- What was shown holds for this text alone.
    local tick = vim.api.nvim_buf_get_changedtick(buffer)
    vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
      group = vim.api.nvim_create_augroup('codeplan-next', {}),
      buffer = buffer,
      callback = function()
        if vim.api.nvim_buf_get_changedtick(buffer) ~= tick then
          clear()
        end
      end,
    })
    if not report.planned then
      follow_up(connection, report.place, buffer, tick)
    end
  end)
end

--- The place that is shown, or nil with a word about it.
local function needed()
  if not current then
    vim.notify('codeplan: no place is shown; :Codeplan next goes to one', vim.log.levels.WARN)
  end
  return current
end

--- The same, once it is known what can be done there: until then nil, and `act` is called afterwards.
local function needed_planned(act)
  local place = needed()
  if place and not place.report.planned then
    place.wanted = act
    return nil
  end
  return place
end

--- Makes the edit that is shown, and goes on.
function M.take()
  local place = needed_planned(M.take)
  if not place then
    return
  end
  if not place.report.edit then
    return place.report.asks and M.value() or vim.notify('codeplan: ' .. place.report.says[#place.report.says], vim.log.levels.WARN)
  end
  clear()
  client.execute(place.client, 'codeplan.take', { id = place.report.place.id }, function(result)
    if result.applied then
      M.go(place.client)
    end
  end)
end

local function decide(as)
  local place = needed()
  if place then
    client.request(place.client, 'codeplan/decide', { ids = { place.report.place.id }, as = as }, function() M.go(place.client) end)
  end
end

--- Comes by an entry after all others, whether it is shown or not.
function M.skip_entry(id)
  local connection = client.needed()
  if connection then
    client.request(connection, 'codeplan/decide', { ids = { id }, as = 'skipped' }, function() M.go(connection) end)
  end
end

--- Comes by this place after all others.
function M.skip() decide('skipped') end

--- This place need not follow.
function M.dismiss() decide('dismissed') end

--- Gives what the place waits for, and shows its edit.
function M.value()
  local place = needed_planned(M.value)
  if not place then
    return
  end
  local asks = place.report.asks
  local function given(answer)
    client.request(place.client, 'codeplan/decide', answer, function() M.go(place.client) end)
  end
  if asks and asks.value then
    require('codeplan.plan').ask(asks, function(value, is_here)
      if value ~= '' then
        given({ values = { [is_here and asks.key or asks.value] = value } })
      end
    end)
  elseif asks and asks.accept then
    require('codeplan.plan').consent(asks, function(agreed)
      if agreed then
        given({ accept = { asks.accept } })
      end
    end)
  else
    vim.notify('codeplan: this place waits for no value', vim.log.levels.WARN)
  end
end

return M
