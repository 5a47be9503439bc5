-- Keys in a plan of 500 edits, timed. Started by plan-buffer.ts, with the repository in CODEPLAN_BENCH_ROOT. Prints a
-- line of figures for each key: until what it shows stands in its buffer.
vim.g.codeplan_command = vim.split(vim.env.CODEPLAN_BENCH_COMMAND, '\n')
local root = vim.env.CODEPLAN_BENCH_ROOT

local function until_true(condition)
  if not vim.wait(120000, condition, 1) then
    vim.cmd('cquit 1')
  end
end

--- Does the work so many times, each until it is there; prints median and worst.
local function timed(what, times, work, is_there)
  local took = {}
  for _ = 1, times do
    local before = vim.loop.hrtime()
    work()
    if is_there then
      until_true(is_there)
    end
    table.insert(took, (vim.loop.hrtime() - before) / 1e6)
  end
  table.sort(took)
  io.stdout:write(string.format('%s\t%.1f\t%.1f\n', what, took[math.floor(times / 2) + 1], took[#took]))
end

local function press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'x', false)
end
local function shown() return table.concat(vim.api.nvim_buf_get_lines(0, 0, 2, false), '\n') end
local function top(rows)
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  for _ = 1, rows do press('n') end
end
local function review()
  local is_out = false
  return function()
    is_out = not is_out
    press(is_out and 'r' or 'a')
  end, function() return (shown():find('rejected') ~= nil) == is_out end
end

vim.cmd('edit ' .. root .. '/store.py')
local store = vim.api.nvim_get_current_buf()
local client = require('codeplan.client')
until_true(function() return client.of() ~= nil end)
local state
until_true(function()
  if state ~= 'asked' and state ~= 'ready' then
    state = 'asked'
    client.request(client.of(), 'codeplan/status', vim.empty_dict(), function(status) state = status.state end)
  end
  return state == 'ready'
end)
vim.cmd([[%s/def put/def insert/]])
local function has_plan() return vim.bo.filetype == 'codeplan' and vim.api.nvim_buf_line_count(0) > 100 end
timed('open the plan', 1, function() vim.cmd('Codeplan plan') end, has_plan)
timed('100 times n', 3, function() top(100) end)
top(2)
timed('TAB', 20, function() press('<Tab>') end)
local row, row_is_there = review()
timed('r, a on a row', 20, row, row_is_there)
top(1)
local file, file_is_there = review()
timed('r, a on a file', 20, file, file_is_there)
local shown_in
timed('g', 3, function()
  shown_in = vim.api.nvim_get_current_buf()
  press('g')
end, function() return vim.api.nvim_get_current_buf() ~= shown_in and has_plan() end)
local applied
timed('x', 1, function()
  vim.notify = function(said) applied = said:find('changed 100 files') ~= nil end
  press('x')
end, function() return applied end)
vim.cmd('buffer ' .. store)
local undone
timed('undo', 1, function()
  vim.notify = function(said) undone = said:find('took the last') ~= nil end
  vim.cmd('Codeplan undo')
end, function() return undone end)
vim.cmd('qall!')
