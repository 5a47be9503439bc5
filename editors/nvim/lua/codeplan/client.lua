-- The connection: one `codeplan lsp` for each root, through the built-in client.
--
-- Neovim 0.7 has neither `vim.lsp.start` nor `vim.fs`, so roots are found and clients are shared here.
local M = {}

--- Client ids by root.
local started = {}
--- What the server last said of the whole repository (`codeplan/changed`), by client id.
M.counts = {}

local function command()
  return vim.g.codeplan_command or { 'codeplan', 'lsp' }
end

--- The nearest folder above a path that has a settings file or is a repository.
function M.root_of(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  while folder ~= '' do
    for _, marker in ipairs({ '/codeplan.json', '/.git' }) do
      if vim.loop.fs_stat(folder .. marker) then
        return vim.loop.fs_realpath(folder)
      end
    end
    local parent = vim.fn.fnamemodify(folder, ':h')
    if parent == folder then
      return nil
    end
    folder = parent
  end
end

local function capabilities()
  local able = vim.lsp.protocol.make_client_capabilities()
  -- Old versions show code lenses without saying that they can.
  able.textDocument.codeLens = able.textDocument.codeLens or { dynamicRegistration = false }
  able.experimental = vim.tbl_extend('force', able.experimental or {}, { codeplan = { version = 1 } })
  return able
end

local handlers = {
  ['codeplan/changed'] = function(_, params, context)
    M.counts[context.client_id] = params
    if vim.g.codeplan_lenses ~= false and vim.lsp.buf_is_attached(vim.api.nvim_get_current_buf(), context.client_id) then
      vim.lsp.codelens.refresh()
    end
    vim.api.nvim_exec_autocmds('User', { pattern = 'CodeplanUpdate', modeline = false })
  end,
}

local function start(config)
  if vim.lsp.start then
    return vim.lsp.start(config, { attach = false })
  end
  return vim.lsp.start_client(config)
end

--- Joins a buffer to its root's client, which is started if there is none. Gives the client's id, or nil.
function M.attach(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == '' or vim.bo[buffer].buftype ~= '' then
    return nil
  end
  local root = M.root_of(path)
  if not root then
    return nil
  end
  local id = started[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = start({
      name = 'codeplan',
      cmd = command(),
      cmd_env = vim.g.codeplan_environment,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      capabilities = capabilities(),
      handlers = handlers,
      init_options = vim.g.codeplan_settings,
      on_exit = function(_, _, gone)
        M.counts[gone] = nil
      end,
    })
    started[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

--- The client of a buffer (default: the current one), or nil.
function M.of(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  for _, id in pairs(started) do
    local client = vim.lsp.get_client_by_id(id)
    if client and vim.lsp.buf_is_attached(buffer, id) then
      return client
    end
  end
  local root = M.root_of(vim.api.nvim_buf_get_name(buffer))
  return root and started[root] and vim.lsp.get_client_by_id(started[root]) or nil
end

--- The request that is under way, to be cancelled.
local pending

--- Newer clients take `self`; the older ones are plain functions.
local function call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- Asks and gives the result to `done`; errors are shown.
function M.request(client, method, params, done)
  local ok, id = call(client, 'request', method, params, function(err, result)
    pending = nil
    if err then
      vim.notify('codeplan: ' .. (err.message or vim.inspect(err)), vim.log.levels.ERROR)
      return
    end
    done(result)
  end)
  if not ok then
    vim.notify('codeplan: the server has ended; see :checkhealth codeplan', vim.log.levels.ERROR)
    return
  end
  pending = { client = client, id = id }
end

--- Runs a server command, whose argument is one object.
function M.execute(client, name, argument, done)
  M.request(client, 'workspace/executeCommand', { command = name, arguments = { argument } }, done)
end

--- Cancels what is under way; false if nothing is.
function M.cancel()
  if not pending then
    return false
  end
  call(pending.client, 'cancel_request', pending.id)
  return true
end

return M
