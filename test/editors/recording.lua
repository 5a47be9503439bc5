-- Driven by recordings.test.ts: a session on the demo's shop, written down as a person would see it.
-- Lines that begin with `:` are typed; what follows is what Neovim shows then.
local session = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/session.lua')
local until_true, seen = session.until_true, session.seen
local shown = {}

local function show(lines)
  for _, line in ipairs(lines) do table.insert(shown, line) end
end

--- Types a command, waits until there is something to see, and writes both down.
local function type_in(command, what, condition, look)
  show({ '', ':' .. command })
  vim.cmd(command)
  if condition then until_true(what, condition) end
  if look then show(look()) end
end

local function message() return { seen.messages[#seen.messages] } end
local function said(pattern) return function() return #seen.messages > 0 and seen.messages[#seen.messages]:find(pattern) ~= nil end end
local function shell(command)
  show({ '', '$ ' .. command })
  show(vim.split(vim.fn.system(command), '\n', { trimempty = true }))
end
local function step_of(pattern)
  for _, line in ipairs(session.lines()) do
    if line:find(pattern) then return line:match('^%s*(%d+)') end
  end
end
local function pricing() return vim.api.nvim_buf_get_lines(session.buffer_of('shop/pricing.py'), 0, -1, false)[8] end

session.open({ 'shop/report.py' })
type_in('edit shop/pricing.py')
type_in('8s/, currency: str//', 'the lens', function() return #vim.lsp.codelens.get(0) > 0 end, function()
  return { vim.lsp.codelens.get(0)[1].command.title, pricing() }
end)
type_in('Codeplan', 'the list', function() return vim.bo.buftype == 'quickfix' end, session.lines)
type_in('cclose')
type_in('Codeplan plan', 'the plan', function() return step_of('cheapest') ~= nil end, session.lines)
type_in('Codeplan diff ' .. step_of('cheapest'), 'the difference', function() return vim.bo.filetype == 'diff' end, session.lines)
type_in('close')
type_in('Codeplan reject ' .. step_of('cheapest'), 'the review', function() return step_of('rejected') ~= nil end, function() return vim.list_slice(session.lines(), 3) end)
type_in('Codeplan apply', 'the applied edits', said('changed'), message)
type_in('wall')
shell('git diff --stat')
local written = pricing()
type_in('Codeplan undo', 'the old text', said('back'), message)
type_in('wall')
shell('git diff --stat')
assert(pricing() == written, 'undo leaves the edit of the person alone')
type_in('8s/sku: str/&, currency: str/')
type_in('wall')
shell('git status --short')
seen.shown = vim.trim(table.concat(shown, '\n'))
session.finish()
