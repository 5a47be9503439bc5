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
  local client = require('codeplan.client')
  local missing = client.missing()
  if missing then
    bad(missing .. ' is not on the path', { 'run "npm link" in the clone of codeplan that you have, or set g:codeplan_command (:help codeplan-install)' })
    return
  end
  ok('the program is on the path')
  for _, connection in ipairs(client.all()) do
    ok('serves ' .. connection.config.root_dir)
  end
  if #client.all() == 0 then
    warn('no repository is served', { 'open a source file of a repository, then run this again' })
  end
end

return M
