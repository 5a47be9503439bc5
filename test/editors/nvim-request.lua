-- Driven by request.test.ts: a request in words, its plans edited step by step, carried out, applied, taken back.
local session = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/session.lua')
local seen, root, until_true, buffer_of, lines = session.seen, session.root, session.until_true, session.buffer_of, session.lines

local function text_of(file) return table.concat(vim.api.nvim_buf_get_lines(buffer_of(file), 0, -1, false), '\n') .. '\n' end
local function shown() return table.concat(lines(), '\n') end
local function to(pattern)
  for number, line in ipairs(lines()) do
    if line:find(pattern) then
      vim.api.nvim_win_set_cursor(0, { number, 0 })
      return
    end
  end
end
local function press(keys) vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'x', false) end
local function until_shown(what, pattern) until_true(what, function() return shown():find(pattern) ~= nil end) end
local function last() return seen.messages[#seen.messages] or '' end

session.open({ 'retry.py' })
vim.g.codeplan_search = { branching = 1, budget = 3 }

-- A model that hangs: how far it is stands in the buffer, and the search ends with what is best so far.
vim.cmd('Codeplan plan Hang a while')
until_shown('the search', 'searching for a plan: Hang a while')
until_shown('how far it is', '1 plans, the best has 1 steps')
press('c')
until_shown('what was best', 'Plan 1: 1 step')
seen.stopped = shown()
press('q')

vim.cmd('Codeplan plan Let the pause have a limit')
until_shown('the plans', 'Plan 2: ')
seen.found = shown()
-- The runner-up unfolds, and what is best stays open.
to('^Plan 2')
press('<Tab>')
seen.unfolded = shown()
to('^Plan 2')
press('<Tab>')

-- To a definition, and back.
to('clock.py:1 ')
local plans = vim.api.nvim_get_current_buf()
press('<CR>')
seen.link = vim.fn.expand('%:t') .. ':' .. vim.fn.line('.')
vim.api.nvim_set_current_win(vim.fn.bufwinid(plans))

vim.ui.input = function(options, done)
  seen.offered = options.default or seen.offered
  done(options.prompt:find('another step') and 'build a clock face' or options.prompt:find('Create') and 'face.py:Face' or 'read a time as seconds')
end
to('^  2%. ')
press('r')
until_shown('the new words', '2%. read a time as seconds')
seen.reworded = shown()
press('d')
until_shown('the struck step', '2%. ~~read a time as seconds~~')
press('d')
until_shown('the step again', '2%. read a time as seconds')
vim.ui.select = function(choices, _, done) done(choices[seen.choice]) end
seen.choice = 2
press('m')
until_shown('a mark', '2%. %[use%] read')
press('o')
until_shown('a new step', '3%. build a clock face')
to('^  3%. ')
seen.choice = 3
press('m')
until_shown('another mark', '3%. %[create face.py:Face%] build')
to('^  1%. ')
seen.choice = 1
press('m')
until_shown('the first mark', '1%. %[edit%] let')
-- Faster than the answers come.
to('units.py:1 ')
press('d')
to('retry.py:4 ')
press('d')
until_shown('one symbol alone', '1%. [^\n]*\n[^\n]*clock.py[^\n]*\n  2%.')
seen.edited = shown()

-- Carried out: the plan of edits, as any other.
press('x')
until_true('the edits', function() return vim.bo.filetype == 'codeplan' and shown():find('retry.py') ~= nil end)
seen.edits = shown()
vim.cmd('Codeplan apply')
until_true('the edit in the buffer', function() return text_of('retry.py'):find('wait_seconds%(3, 5%)') ~= nil end)
seen.face = text_of('face.py')
seen.unsaved = vim.fn.filereadable(root .. '/face.py')
vim.cmd('buffer ' .. buffer_of('retry.py'))
vim.cmd('Codeplan undo')
until_true('the old text', function() return text_of('retry.py'):find('wait_seconds%(3%)') ~= nil end)

-- What goes wrong is said, and leaves no buffer behind.
seen.refusals = {}
for _, request in ipairs({ 'Refuse it', 'Fail at it' }) do
  local before = #seen.messages
  vim.cmd('Codeplan plan ' .. request)
  until_true('a word about ' .. request, function() return #seen.messages > before and last():find('no plan') ~= nil end)
  table.insert(seen.refusals, last())
  until_true('no buffer', function() return vim.bo.filetype ~= 'codeplan-request' end)
end
session.finish()
