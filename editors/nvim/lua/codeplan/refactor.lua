-- Refactorings of what is under the cursor: what the person says is asked for here, the rest is a plan like any other.
local client = require('codeplan.client')

local M = {}

--- Where the cursor is, as the server counts; nil outside of the root.
function M.here(connection)
  local root = connection.config.root_dir .. '/'
  local path = vim.loop.fs_realpath(vim.api.nvim_buf_get_name(0)) or vim.api.nvim_buf_get_name(0)
  if not vim.startswith(path, root) then
    return nil
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local _, units = vim.str_utfindex(vim.api.nvim_get_current_line(), column)
  return { file = path:sub(#root + 1), line = row, column = units }
end

--- Hands what can be refactored under the cursor to `done`.
local function at_cursor(connection, kind, missing, done)
  local place = M.here(connection)
  if not place then
    vim.notify('codeplan: this buffer shows no file of the repository', vim.log.levels.WARN)
    return
  end
  client.request(connection, 'codeplan/refactor/here', place, function(report)
    local found = report[kind]
    if not found or found == vim.NIL then
      vim.notify('codeplan: ' .. missing, vim.log.levels.WARN)
      return
    end
    done(found, place)
  end)
end

--- What was given with the command, else what is typed; nothing without either.
local function ask(given, options, done)
  if given and given ~= '' then
    return done(given)
  end
  vim.ui.input(options, function(typed)
    if typed and typed ~= '' then
      done(typed)
    end
  end)
end

local function plan(connection, refactoring)
  require('codeplan.plan').open(connection, refactoring)
end

local KEEP_EXPORTS = '--keep-exports'

--- Another name for what is named under the cursor: a block, a parameter, a variable. With `--keep-exports` in front of
--- the name, packages go on to export it under the old one.
function M.rename(connection, given)
  local name = given or ''
  local keeps = vim.startswith(name, KEEP_EXPORTS)
  if keeps then
    name = vim.trim(name:sub(#KEEP_EXPORTS + 1))
  end
  at_cursor(connection, 'rename', 'nothing here has a name that is known', function(found)
    ask(name, { prompt = 'Rename ' .. found.name .. ' to: ', default = found.name }, function(to)
      plan(connection, { kind = 'rename', block = found.block, to = to, keepExports = keeps or nil })
    end)
  end)
end

--- Another file for the block around the cursor.
function M.move(connection, given)
  at_cursor(connection, 'move', 'no block here can stand in a file by itself', function(found, place)
    local default = found.to ~= vim.NIL and found.to or place.file
    ask(given, { prompt = 'Move ' .. found.name .. ' to file: ', default = default, completion = 'file' }, function(to)
      plan(connection, { kind = 'move', blocks = { found.block }, to = to })
    end)
  end)
end

--- Other parameters for the function under the cursor: all of them, as they are to be. `async` and `sync` alone make it that.
function M.signature(connection, given)
  at_cursor(connection, 'signature', 'no function is here', function(found)
    if given == 'async' or given == 'sync' then
      return plan(connection, { kind = 'signature', block = found.block, async = given == 'async' })
    end
    local prompt = 'Parameters of ' .. found.name .. ' (new ones as name: type = default, old -> new): '
    ask(given, { prompt = prompt, default = found.parameters }, function(parameters)
      plan(connection, { kind = 'signature', block = found.block, parameters = parameters })
    end)
  end)
end

return M
