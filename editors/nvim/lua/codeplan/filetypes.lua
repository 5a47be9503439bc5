-- What the program reads, in Neovim's words.
return { 'python', 'typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'java', 'cs' }
