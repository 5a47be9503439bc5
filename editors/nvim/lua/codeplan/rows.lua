-- Rows that the program gives, in a buffer of their own: drawn, folded, gone through, and left for where they lead.
--
-- A view has `client`, `buffer`, `help` (the first line), `rows` (what the program said: `head` and `rows`), and what
-- was folded by hand (`folded`); `at` is set when it is drawn. `unfolded`, if it has that, gets the rows that come to
-- be seen, where the program left hidden ones out.
local M = {}

local marked_by = vim.api.nvim_create_namespace('codeplan-rows')
local GROUPS = {
  file = 'Directory', alike = 'Title', open = 'WarningMsg', hunk = 'Comment', added = 'DiffAdd', removed = 'DiffDelete',
  plan = 'Title', struck = 'Comment', symbol = 'Identifier', nothing = 'WarningMsg',
}
--- What is gone past from row to row.
local PASSED = { context = true, added = true, removed = true }

--- A buffer that is nobody's file.
function M.scratch(name, lines, filetype)
  vim.cmd('botright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  pcall(vim.api.nvim_buf_set_name, buffer, name)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = filetype
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, desc = 'close' })
  return buffer
end

function M.is_shown(view)
  return view ~= nil and view.buffer ~= nil and vim.api.nvim_buf_is_valid(view.buffer)
end

--- The view's window goes, if there is one.
function M.close(view)
  if M.is_shown(view) then
    vim.api.nvim_buf_delete(view.buffer, { force = true })
  end
end

local function is_folded(view, row)
  local said = view.folded[row.key]
  if said == nil then
    return row.isFolded
  end
  return said
end

--- The lines to show, and which row each is of.
local function lines_of(view)
  local lines = vim.list_extend({ view.help }, view.rows.head)
  lines[#lines + 1] = ''
  local at, hidden_below = {}, nil
  for _, row in ipairs(view.rows.rows) do
    if not hidden_below or row.level <= hidden_below then
      hidden_below = is_folded(view, row) and row.level or nil
      lines[#lines + 1] = string.rep('  ', row.level) .. row.text
      at[#lines] = row
    end
  end
  return lines, at
end

function M.draw(view)
  if not M.is_shown(view) then
    return
  end
  local lines, at = lines_of(view)
  view.at = at
  vim.bo[view.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(view.buffer, 0, -1, false, lines)
  vim.bo[view.buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(view.buffer, marked_by, 0, -1)
  for number, row in pairs(at) do
    if GROUPS[row.kind] then
      vim.api.nvim_buf_add_highlight(view.buffer, marked_by, GROUPS[row.kind], number - 1, 0, -1)
    end
  end
end

--- The row under the cursor, or nil where the view is not the current buffer.
function M.here(view)
  return view and view.at and view.buffer == vim.api.nvim_get_current_buf() and view.at[vim.api.nvim_win_get_cursor(0)[1]] or nil
end

--- Shows or hides what the row under the cursor holds.
function M.unfold(view)
  local row = M.here(view)
  if row then
    view.folded[row.key] = not is_folded(view, row)
    if view.unfolded and not view.folded[row.key] then
      view.unfolded()
    end
    local cursor = vim.api.nvim_win_get_cursor(0)
    M.draw(view)
    vim.api.nvim_win_set_cursor(0, cursor)
  end
end

--- Goes to the next row that stands for something, or with -1 to the one before.
function M.move(view, by)
  local line = vim.api.nvim_win_get_cursor(0)[1] + by
  while line >= 1 and line <= vim.api.nvim_buf_line_count(0) do
    local row = view.at[line]
    if row and not PASSED[row.kind] then
      return vim.api.nvim_win_set_cursor(0, { line, 0 })
    end
    line = line + by
  end
end

--- Goes to a window that shows a file: the one before, else any, else a new one.
local function to_file_window()
  for _, window in ipairs(vim.list_extend({ vim.fn.win_getid(vim.fn.winnr('#')) }, vim.api.nvim_tabpage_list_wins(0))) do
    if window ~= 0 and vim.bo[vim.api.nvim_win_get_buf(window)].buftype == '' then
      return vim.api.nvim_set_current_win(window)
    end
  end
  vim.cmd('topleft new')
end

--- Goes where the row leads.
function M.go(view)
  local row = M.here(view)
  if row and row.place then
    to_file_window()
    vim.cmd('edit ' .. vim.fn.fnameescape(view.client.config.root_dir .. '/' .. row.place.file))
    vim.api.nvim_win_set_cursor(0, { math.min(row.place.line, vim.api.nvim_buf_line_count(0)), 0 })
  end
end

--- Keys of a view: those of all, and its own.
function M.keys(view, own)
  local shared = {
    ['<CR>'] = { function() M.go(view) end, 'go there' },
    ['<Tab>'] = { function() M.unfold(view) end, 'unfold or fold the row' },
    n = { function() M.move(view, 1) end, 'next row' },
    p = { function() M.move(view, -1) end, 'row before' },
  }
  for key, map in pairs(vim.tbl_extend('error', shared, own)) do
    vim.keymap.set('n', key, map[1], { buffer = view.buffer, desc = map[2] })
  end
end

return M
