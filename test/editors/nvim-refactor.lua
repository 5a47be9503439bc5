-- Driven by refactor.test.ts: what is under the cursor gets another name, file, signature, and all of it is taken back.
local session = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/session.lua')
local seen, root, until_true, buffer_of, lines = session.seen, session.root, session.until_true, session.buffer_of, session.lines

local function text_of(file) return table.concat(vim.api.nvim_buf_get_lines(buffer_of(file), 0, -1, false), '\n') .. '\n' end
local function window_of(file)
  vim.cmd('only')
  vim.cmd('buffer ' .. buffer_of(file))
end
local function plan()
  until_true('the plan', function() return vim.bo.filetype == 'codeplan' and #lines() > 3 end)
  return table.concat(lines(), '\n')
end

session.open({ 'shop/net.py', 'job.py', 'store.py' })

-- With a name in the command, from a use in another file.
window_of('job.py')
vim.api.nvim_win_set_cursor(0, { 5, 11 })
vim.cmd('Codeplan rename insert')
seen.renaming = plan()
seen.untouched = text_of('job.py')
vim.cmd('Codeplan apply')
until_true('the name', function() return text_of('job.py'):find('store.insert%(k, 1%)') ~= nil and text_of('store.py'):find('def insert') ~= nil end)
seen.unsaved = io.open(root .. '/job.py'):read('*a')
vim.cmd('Codeplan undo')
until_true('the old name', function() return text_of('job.py'):find('store.put%(k, 1%)') ~= nil end)

-- The parameters as they are to be, typed over what is offered; a new one needs a value.
window_of('store.py')
vim.api.nvim_win_set_cursor(0, { 2, 9 })
local offered = {}
vim.ui.input = function(options, done)
  table.insert(offered, options.default or options.prompt)
  done(options.default and options.default .. ', unit: str' or "'s'")
end
vim.ui.select = function(choices, options, done) done(options.prompt:find('^Pass ') and choices[1] or choices[#choices]) end
vim.cmd('Codeplan signature')
seen.signing = plan()
seen.offered = offered[1]
vim.cmd('Codeplan apply')
until_true('the value', function() return text_of('job.py'):find("store.put%(k, 1, 's'%)") ~= nil end)
vim.cmd('Codeplan undo')
until_true('no value', function() return text_of('job.py'):find('store.put%(k, 1%)') ~= nil end)

-- Into a new file.
window_of('store.py')
vim.api.nvim_win_set_cursor(0, { 1, 7 })
vim.cmd('Codeplan move depot.py')
plan()
vim.cmd('Codeplan apply')
until_true('the file', function() return buffer_of('depot.py') > 0 and text_of('depot.py'):find('class Store') ~= nil end)
until_true('the import', function() return text_of('job.py'):find('from depot import Store') ~= nil end)

vim.cmd('Codeplan undo')
until_true('all of it again', function() return text_of('job.py'):find('from store import Store') ~= nil and text_of('store.py'):find('class Store') ~= nil and buffer_of('depot.py') < 0 end)

-- Nothing is done where one of the files is open in another editor.
vim.cmd('edit! ' .. root .. '/report.py')
vim.cmd('normal! ix')
vim.cmd('preserve')
local swap = vim.fn.swapname(buffer_of('report.py'))
local kept = vim.fn.readfile(swap, 'b')
vim.cmd('enew')
vim.cmd('bwipeout! ' .. buffer_of('report.py'))
vim.fn.writefile(kept, swap, 'b')
window_of('job.py')
vim.api.nvim_win_set_cursor(0, { 5, 11 })
vim.cmd('Codeplan rename insert')
plan()
vim.cmd('Codeplan apply')
until_true('the refusal', function() return (seen.messages[#seen.messages] or ''):find('is open in another editor') ~= nil end)
seen.whole = text_of('job.py')
os.remove(swap)

-- A package goes on to export the old name.
window_of('shop/net.py')
vim.api.nvim_win_set_cursor(0, { 1, 5 })
vim.cmd('Codeplan rename --keep-exports deliver')
seen.keeping = plan()

window_of('job.py')
vim.api.nvim_win_set_cursor(0, { 2, 0 })
vim.cmd('Codeplan rename x')
until_true('a word', function() return (seen.messages[#seen.messages] or ''):find('nothing here has a name') ~= nil end)
seen.refusal = seen.messages[#seen.messages]
session.finish()
