-- Driven by next.test.ts: a person goes from place to place, takes, skips, gives a value, and takes back.
local session = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/session.lua')
local seen, root, until_true, buffer_of, lines = session.seen, session.root, session.until_true, session.buffer_of, session.lines

local function text_of(file) return table.concat(vim.api.nvim_buf_get_lines(buffer_of(file), 0, -1, false), '\n') .. '\n' end
local function here() return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':t') .. ':' .. vim.api.nvim_win_get_cursor(0)[1] end
--- Everything that is shown beside the text of the current buffer.
local function shown()
  local space = vim.api.nvim_get_namespaces()['codeplan-next']
  local words = {}
  for _, mark in ipairs(space and vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true }) or {}) do
    for _, piece in ipairs(mark[4].virt_text or {}) do table.insert(words, piece[1]) end
    for _, line in ipairs(mark[4].virt_lines or {}) do table.insert(words, '+' .. line[1][1]) end
    if mark[4].hl_group then table.insert(words, '-' .. vim.api.nvim_buf_get_lines(0, mark[2], mark[2] + 1, false)[1]) end
  end
  return table.concat(words, '\n')
end
local function at(place) until_true(place, function() return here() == place and shown() ~= '' end) end
--- With its edit, which may come after the place itself.
local function planned_at(place)
  at(place)
  until_true('the edit at ' .. place, function() return not shown():find('being worked out') end)
end

session.open({ 'store.py' })
vim.cmd([[%s/def put/def insert/]])
until_true('what is left', function() return require('codeplan').statusline() == 'CP:2' end)

-- The lens outlives typing on its line, and shows the plan.
until_true('a lens', function() return #vim.lsp.codelens.get(buffer_of('store.py')) > 0 end)
vim.cmd([[2s/insert/inserted/]])
until_true('the lens of the other name', function() return #vim.lsp.codelens.get(buffer_of('store.py')) > 0 and #vim.diagnostic.get() >= 0 end)
vim.cmd([[2s/inserted/insert/]])

vim.cmd('Codeplan next')
planned_at('job.py:5')
seen.first = shown()
vim.cmd('Codeplan skip')
planned_at('report.py:5')
seen.second = shown()
vim.cmd('Codeplan take')
until_true('the edit', function() return text_of('report.py'):find('insert%(1, 2%), store%.insert') ~= nil end)
at('job.py:5')
seen.unsaved = io.open(root .. '/report.py'):read('*a')
vim.cmd('Codeplan dismiss')
until_true('the end', function() return (seen.messages[#seen.messages] or ''):find('nothing is left') ~= nil end)
until_true('no count', function() return require('codeplan').statusline() == '' end)

-- One step of the editor's own undo.
vim.cmd('buffer ' .. buffer_of('report.py'))
vim.cmd('undo')
seen.undone = text_of('report.py')
until_true('it is left again', function() return require('codeplan').statusline() == 'CP:1' end)

-- A place that waits for a value.
vim.cmd('buffer ' .. buffer_of('store.py'))
vim.cmd([[%s/def insert/def put/]])
vim.cmd([[%s/ttl)/ttl, when)/]])
until_true('the new count', function() return require('codeplan').statusline() == 'CP:2' end)
vim.ui.select = function(choices, options, done) done(options.prompt:find('^Pass ') and choices[1] or choices[#choices]) end
vim.ui.input = function(_, done) done('0') end
vim.cmd('Codeplan next')
planned_at('job.py:5')
seen.asked = shown()
vim.cmd('Codeplan value')
until_true('the edit with the value', function() return shown():find('put%(k, 1, 0%)') ~= nil end)
vim.cmd('Codeplan take')
until_true('the value', function() return text_of('job.py'):find('put%(k, 1, 0%)') ~= nil end)
at('report.py:5')
vim.cmd('Codeplan take')
until_true('the values', function() return text_of('report.py'):find('put%(1, 2, 0%), store.put%(3, 4, 0%)') ~= nil end)
until_true('the end of the values', function() return require('codeplan').statusline() == '' end)
vim.cmd('Codeplan take')
seen.refusal = seen.messages[#seen.messages]
session.finish()
