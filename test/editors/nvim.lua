-- Driven by nvim.test.ts: a person's session in a real Neovim. Prints what was seen as one JSON object.
local session = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/session.lua')
local seen, root, until_true, buffer_of, lines = session.seen, session.root, session.until_true, session.buffer_of, session.lines

local function text_of(file) return table.concat(vim.api.nvim_buf_get_lines(buffer_of(file), 0, -1, false), '\n') .. '\n' end
local function line_with(pattern)
  for number, line in ipairs(lines()) do
    if line:find(pattern) then
      vim.api.nvim_win_set_cursor(0, { number, 0 })
      return line
    end
  end
end

session.open({ 'job.py', 'store.py' })

-- An edit in the buffer, not saved.
vim.cmd([[%s/def put/def insert/]])
until_true('a hint', function() return #vim.diagnostic.get(buffer_of('job.py')) > 0 end)
seen.hint = vim.diagnostic.get(buffer_of('job.py'))[1].message
until_true('the status line', function() return require('codeplan').statusline() ~= '' end)
seen.statusline = require('codeplan').statusline()
until_true('a lens', function() return #vim.lsp.codelens.get(buffer_of('store.py')) > 0 end)
seen.lens = vim.lsp.codelens.get(buffer_of('store.py'))[1].command.title

vim.cmd('Codeplan')
until_true('the list', function() return #vim.fn.getqflist() > 0 end)
seen.list = vim.tbl_map(function(item) return vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ':t') .. ':' .. item.lnum .. ' ' .. item.type end, vim.fn.getqflist())
vim.cmd('cclose')
vim.cmd('buffer ' .. buffer_of('store.py'))

-- A plan: look at a difference, reject one step, apply the others.
vim.cmd('Codeplan plan')
until_true('the plan', function() return vim.bo.filetype == 'codeplan' and line_with('report.py') ~= nil end)
vim.cmd('Codeplan diff')
seen.diff = table.concat(lines(), '\n')
vim.cmd('close')
-- By hunk first: what is left out of a step shows in its mark, and the same key on the hunk takes it again.
local function to_hunk()
  line_with('line 5 +report')
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<Tab>nn', true, false, true), 'x', false)
  return vim.api.nvim_get_current_line()
end
seen.hunk = to_hunk()
vim.api.nvim_feedkeys('r', 'x', false)
until_true('the hunk without its edit', function() return line_with('1 in part') ~= nil end)
seen.in_part = lines()
line_with('^ +%- @@')
vim.api.nvim_feedkeys('a', 'x', false)
until_true('the whole step', function() return line_with('in part') == nil end)
line_with('report.py')
vim.cmd('Codeplan why')
vim.cmd('Codeplan reject')
until_true('the review', function() return line_with('rejected') ~= nil end)
-- The same plan as a page, which another program can read as long as this one runs.
if vim.ui.open then vim.ui.open = function(url) seen.opened = url end end
vim.cmd('Codeplan page')
until_true('the address of the page', function() return (seen.messages[#seen.messages] or ''):find('http') ~= nil end)
seen.page = vim.fn.system({ vim.g.codeplan_command[1], '-e', 'fetch(process.argv[1]).then((answer) => answer.text()).then(console.log)', seen.messages[#seen.messages]:match('http%S+') })
seen.plan = lines()
vim.cmd('Codeplan apply')
until_true('the applied edit', function() return text_of('job.py'):find('store%.insert') ~= nil end)
seen.report = vim.fn.readfile(root .. '/report.py')
seen.on_disk = vim.fn.readfile(root .. '/job.py')
seen.modified = vim.bo[buffer_of('job.py')].modified

vim.cmd('buffer ' .. buffer_of('store.py'))
vim.cmd('Codeplan undo')
until_true('the old text', function() return text_of('job.py'):find('store%.put') ~= nil end)
vim.cmd([[%s/def insert/def put/]])
until_true('no hints', function() return #vim.diagnostic.get(buffer_of('job.py')) == 0 end)
seen.job = text_of('job.py')
seen.store = text_of('store.py')

-- A new parameter without a default: what callers pass is asked for, once for all of them.
seen.asked, seen.choices, seen.scopes = {}, {}, {}
local scope, given = 1, { '0' }
vim.ui.select = function(choices, options, done)
  if options.prompt:find('^Pass ') then
    seen.scopes = choices
    return done(choices[scope])
  end
  seen.choices = choices
  done(choices[#choices])
end
vim.ui.input = function(options, done)
  table.insert(seen.asked, options.prompt)
  done(table.remove(given, 1))
end
vim.cmd('buffer ' .. buffer_of('store.py'))
vim.cmd([[%s/ttl)/ttl, when)/]])
until_true('a hint of the parameter', function() return #vim.diagnostic.get(buffer_of('job.py')) > 0 end)
vim.cmd('Codeplan propagate')
until_true('the value', function() return text_of('job.py'):find('put%(k, 1, 0%)') ~= nil end)
seen.given = text_of('report.py')
vim.cmd('Codeplan undo')
until_true('no value', function() return text_of('job.py'):find('put%(k, 1%)') ~= nil end)
-- Or for each place on its own.
scope, given = 2, { '7', '8', '9' }
vim.cmd('Codeplan propagate')
until_true('the first value', function() return text_of('job.py'):find('put%(k, 1, 7%)') ~= nil end)
seen.given_apart = text_of('report.py')
vim.cmd('Codeplan undo')
until_true('no values', function() return text_of('job.py'):find('put%(k, 1%)') ~= nil end)
vim.cmd([[%s/, when)/)/]])
seen.after = text_of('store.py') .. text_of('job.py') .. text_of('report.py')
vim.cmd('silent wall')
seen.saved = {}
for _, file in ipairs({ 'store.py', 'job.py', 'report.py' }) do table.insert(seen.saved, io.open(root .. '/' .. file):read('*a')) end

-- What a person meets who does something at the wrong time.
vim.cmd('Codeplan nonsense')
seen.refusals = {}
local function refusal(command)
  local before = #seen.messages
  vim.cmd(command)
  until_true('an answer to ' .. command, function() return #seen.messages > before end)
  table.insert(seen.refusals, seen.messages[before + 1])
end
until_true('no hints at the end', function() return #vim.diagnostic.get(buffer_of('job.py')) == 0 end)
vim.cmd('buffer ' .. buffer_of('store.py'))
for _, what in ipairs({ '', 'plan', 'propagate', 'undo', 'cancel', 'apply', 'why 7' }) do refusal('Codeplan ' .. what) end
vim.cmd('edit ' .. vim.fn.tempname() .. '.py')
refusal('Codeplan')

-- The program ends, and is there again when it is asked for.
vim.cmd('buffer ' .. buffer_of('store.py'))
vim.fn.system({ vim.g.codeplan_command[1], vim.g.codeplan_command[2], 'daemon', 'stop', '--root', root })
until_true('the end', function() return #require('codeplan.client').all() == 0 end)
vim.cmd('Codeplan status')
until_true('the new one', function() return seen.messages[#seen.messages]:find('^codeplan [%d.]+: %w+, ') ~= nil end)
seen.completion = vim.fn.getcompletion('Codeplan ', 'cmdline')
vim.cmd('checkhealth codeplan')
seen.health = table.concat(lines(), '\n')
vim.cmd('helptags ' .. vim.fn.fnameescape(vim.env.CODEPLAN_TEST_HELP))
vim.cmd('help codeplan')
seen.help = vim.fn.expand('%:t')

session.finish()
