-- `:checkhealth codeplan`.
local M = {}

function M.check()
  local health = vim.health and vim.health.start and vim.health or nil
  -- Before 0.10 the functions have other names, and before 0.8 the module is another one.
  local old = not health and require('health') or nil
  local start = health and health.start or old.report_start
  local ok = health and health.ok or old.report_ok
  local warn = health and health.warn or old.report_warn
  local bad = health and health.error or old.report_error

  start('codeplan')
  local command = vim.g.codeplan_command or { 'codeplan', 'lsp' }
  if vim.fn.executable(command[1]) == 1 then
    ok(command[1] .. ' is executable')
  else
    bad(command[1] .. ' is not on the path', { 'npm install -g codeplan', 'or set g:codeplan_command' })
  end
  local client = require('codeplan.client')
  local connection = client.of()
  if connection then
    ok('attached to ' .. connection.config.root_dir)
  else
    warn('no client is attached to this buffer', { 'open a source file of a repository, then run this again' })
  end
end

return M
