-- Driven by walk.test.ts, once before a restart of editor and daemon and once after it: a walk through what is left.
local session = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/session.lua')
local seen, root, until_true, buffer_of, lines = session.seen, session.root, session.until_true, session.buffer_of, session.lines

local FILES = { 'store.py', 'job.py', 'report.py' }
local function text_of(file) return table.concat(vim.api.nvim_buf_get_lines(buffer_of(file), 0, -1, false), '\n') .. '\n' end
local function texts() return vim.tbl_map(text_of, FILES) end
local function disk() return vim.tbl_map(function(file) return io.open(root .. '/' .. file):read('*a') end, FILES) end
local function here() return vim.fn.expand('%:t') .. ':' .. vim.fn.line('.') end
--- Everything that would come beside the text of the current buffer.
local function shown()
  local words = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces()['codeplan-next'], 0, -1, { details = true })) do
    for _, line in ipairs(mark[4].virt_lines or {}) do table.insert(words, line[1][1]) end
  end
  return table.concat(words, '\n')
end
local function press(keys) vim.api.nvim_feedkeys(keys, 'x', false) end
local function until_left(count)
  until_true(count .. ' left', function() return require('codeplan').statusline() == (count == 0 and '' or 'CP:' .. count) end)
end
local function to(file) vim.cmd('buffer ' .. buffer_of(file)) end
local function undone(before)
  vim.cmd('Codeplan undo')
  until_true('the texts from before', function() return vim.deep_equal(texts(), before) end)
  return 'yes'
end
vim.ui.select = function(choices, options, done) done(options.prompt:find('^Pass ') and choices[1] or choices[#choices]) end
vim.ui.input = function(_, done) done('0') end

session.open({ 'report.py', 'job.py', 'store.py' })
if vim.env.CODEPLAN_TEST_PART == 'before' then
  vim.cmd([[%s/ttl)/ttl, when)/]])
  until_true('a hint', function() return #vim.diagnostic.get(buffer_of('job.py')) > 0 end)
  until_left(2)
  local edited = texts()
  vim.cmd('Codeplan plan')
  until_true('the plan', function() return vim.bo.filetype == 'codeplan' and #lines() > 3 end)
  vim.fn.search('^job.py')
  press('r')
  until_true('the rejection', function() return table.concat(lines(), '\n'):find('1 rejected') ~= nil end)
  seen.plan = table.concat(lines(), '\n')
  press('x')
  until_true('the edit', function() return text_of('report.py'):find('put%(1, 2, 0%)') ~= nil end)
  seen.applied = texts()
  to('store.py')
  until_left(1)
  seen.undone = undone(edited)
  until_left(2)
  local function is_place() return here() == 'job.py:5' or here() == 'report.py:5' end
  local function skipped()
    local from = here()
    vim.cmd('Codeplan skip')
    until_true('another place', function() return is_place() and here() ~= from end)
    return here()
  end
  vim.cmd('Codeplan next')
  until_true('a place', is_place)
  seen.skipped = { here(), skipped() }
  while here() ~= 'report.py:5' do skipped() end
  vim.cmd('Codeplan value')
  until_true('the edit with the value', function() return shown():find('put%(1, 2, 0%)') ~= nil end)
  vim.cmd('Codeplan take')
  until_true('the value', function() return text_of('report.py'):find('put%(1, 2, 0%)') ~= nil end)
  until_left(1)
  seen.taken = texts()
else
  until_left(1)
  vim.cmd('Codeplan list')
  until_true('the list', function() return #vim.fn.getqflist() > 0 end)
  seen.list = table.concat(vim.tbl_map(function(item) return vim.fn.bufname(item.bufnr) .. ': ' .. item.text end, vim.fn.getqflist()), '\n')
  vim.cmd('cclose')
  to('store.py')
  local before = texts()
  vim.cmd('Codeplan propagate')
  until_true('the edit', function() return text_of('job.py'):find('put%(k, 1, 0%)') ~= nil end)
  seen.applied = texts()
  until_left(0)
  seen.undone = undone(before)
  until_left(1)
end
vim.cmd('silent wall')
seen.saved = disk()
session.finish()
