-- Driven by snippets.test.ts: what Neovim does with the settings of docs/editors.md alone.
local session = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/session.lua')
local seen, root, until_true, buffer_of = session.seen, session.root, session.until_true, session.buffer_of

for _, file in ipairs({ 'job.py', 'store.py' }) do vim.cmd('edit ' .. root .. '/' .. file) end
local client
until_true('a client', function()
  client = vim.lsp.get_clients({ name = 'codeplan', bufnr = buffer_of('store.py') })[1]
  return client ~= nil
end)
until_true('the index', function() return client:request_sync('codeplan/status', vim.empty_dict(), 10000, 0).result.state == 'ready' end)

-- An edit in the buffer, not saved.
vim.cmd([[%s/def put/def insert/]])
until_true('a hint', function() return #vim.diagnostic.get(buffer_of('job.py')) > 0 end)
seen.hint = vim.diagnostic.get(buffer_of('job.py'))[1].message
until_true('a lens', function() return #vim.lsp.codelens.get({ bufnr = 0 }) > 0 end)
local lens = vim.lsp.codelens.get({ bufnr = 0 })[1]
seen.lens = (lens.lens or lens).command.title

vim.api.nvim_win_set_cursor(0, { 2, 0 })
vim.lsp.buf.code_action({ apply = true, filter = function(action)
  local is_wanted = action.title:find('^Propagate') ~= nil
  if is_wanted then seen.action = action.title end
  return is_wanted
end })
local function job() return table.concat(vim.api.nvim_buf_get_lines(buffer_of('job.py'), 0, -1, false), '\n') .. '\n' end
until_true('the edit', function() return job():find('store%.insert') ~= nil end)
client:exec_cmd({ title = 'undo', command = 'codeplan.undo', arguments = { vim.empty_dict() } })
until_true('the old text', function() return job():find('store%.put') ~= nil end)
seen.job = job()

session.finish()
