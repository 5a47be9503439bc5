-- What `vim.lsp.config` knows of codeplan, from Neovim 0.11 on.
return require('codeplan.client').configuration()
