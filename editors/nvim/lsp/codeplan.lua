-- For `vim.lsp.enable('codeplan')`, which Neovim has from 0.11 on. The plugin itself attaches without it.
return {
  cmd = { 'codeplan', 'lsp' },
  filetypes = { 'python', 'typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'java', 'cs' },
  root_markers = { 'codeplan.json', '.git' },
}
