-- Commands, maps, and what attaches; everything else is loaded when it is first used.
if vim.g.loaded_codeplan then
  return
end
vim.g.loaded_codeplan = 1

vim.api.nvim_create_user_command('Codeplan', function(command)
  require('codeplan').run(command.fargs)
end, {
  nargs = '*',
  desc = 'Consequences of the latest edit',
  complete = function(lead, line)
    return require('codeplan').complete(lead, line)
  end,
})

for _, name in ipairs({ 'list', 'next', 'take', 'skip', 'dismiss', 'value', 'propagate', 'plan', 'apply', 'undo', 'rename', 'move', 'signature' }) do
  vim.keymap.set('n', '<Plug>(codeplan-' .. name .. ')', function()
    require('codeplan').run({ name })
  end, { desc = 'codeplan: ' .. name })
end

-- A click on a lens or an action shows, in this editor's own way, what other editors are shown by the server.
vim.lsp.commands['codeplan.plan'] = function() require('codeplan').run({ 'plan' }) end
for _, name in ipairs({ 'move', 'signature' }) do
  vim.lsp.commands['codeplan.' .. name] = function() require('codeplan').run({ name }) end
end
vim.lsp.commands['codeplan.rename'] = function(command)
  local given = (command.arguments or {})[1] or {}
  require('codeplan').run({ 'rename', given.keepExports and '--keep-exports' or nil })
end
vim.lsp.commands['codeplan.next'] = function(command)
  local skip = ((command.arguments or {})[1] or {}).skip
  if skip then
    require('codeplan.next').skip_entry(skip)
  else
    require('codeplan').run({ 'next' })
  end
end

if vim.fn.has('nvim-0.11') == 1 then
  vim.lsp.enable('codeplan')
else
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('codeplan', {}),
    pattern = require('codeplan.filetypes'),
    callback = function(event)
      require('codeplan.client').opened(event.buf)
    end,
  })
end
-- A plugin manager may load this after files were opened, whose event is over then.
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(require('codeplan.filetypes'), vim.bo[buffer].filetype) then
    require('codeplan.client').opened(buffer)
  end
end
