-- Driven by packaging.test.ts: the plugin is loaded after files were opened, as plugin managers may do.
local session = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/session.lua')
local seen, root, until_true, buffer_of = session.seen, session.root, session.until_true, session.buffer_of

for _, file in ipairs({ 'job.py', 'store.py' }) do vim.cmd('edit ' .. root .. '/' .. file) end
vim.cmd('packadd codeplan.nvim')
until_true('a client', function() return #require('codeplan.client').all() > 0 end)
vim.cmd([[%s/def put/def insert/]])
until_true('a hint', function() return #vim.diagnostic.get(buffer_of('job.py')) > 0 end)
seen.hint = vim.diagnostic.get(buffer_of('job.py'))[1].message
vim.cmd('helptags ALL')
vim.cmd('help codeplan')
seen.help = vim.fn.expand('%:t')
session.finish()
