-- The connection: one `codeplan lsp` for each root, through the built-in client.
--
-- From Neovim 0.11 on it is a configuration of `vim.lsp`, which starts it and which a person can
-- overrule; before, roots are found and clients are shared here.
local M = {}

local HAS_CONFIGURATIONS = vim.lsp.config ~= nil
--- How long the server may take to greet, which it does at once.
local GREETING_MS_MOST = 5000
--- How long to wait for what the server has at hand.
local ANSWER_MS_MOST = 5000

--- Client ids by root, where Neovim itself does not share clients.
local started = {}
--- What the server last said of the whole repository (`codeplan/changed`), by client id.
M.counts = {}
--- Who is told how far a request is, by the request's token.
M.progress = {}

local function command()
  return vim.g.codeplan_command or { 'codeplan', 'lsp' }
end

--- The program that would be run and cannot be, or nil.
function M.missing()
  local configured = HAS_CONFIGURATIONS and vim.lsp.config.codeplan.cmd
  local program = (type(configured) == 'table' and configured or command())[1]
  return vim.fn.executable(program) == 0 and program or nil
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

--- The root of a buffer that shows a file of a repository, or nil.
local function root_of_buffer(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == '' or vim.bo[buffer].buftype ~= '' then
    return nil
  end
  return M.root_of(path)
end

--- The root that a buffer attaches to without being asked, or nil.
local function root_to_attach(buffer)
  local root = vim.g.codeplan_enabled ~= false and root_of_buffer(buffer) or nil
  local missing = root and M.missing()
  if missing then
    vim.notify_once('codeplan: ' .. missing .. ' is not on the path; :checkhealth codeplan says more', vim.log.levels.WARN)
    return nil
  end
  return root
end

local function capabilities()
  local able = vim.lsp.protocol.make_client_capabilities()
  -- Old versions show code lenses without saying that they can.
  able.textDocument.codeLens = able.textDocument.codeLens or { dynamicRegistration = false }
  -- Those of the plugin's own making (`edits.lua`), whatever the version can do by itself.
  able.workspace.workspaceEdit = vim.tbl_extend('force', able.workspace.workspaceEdit or {}, {
    documentChanges = true,
    resourceOperations = { 'create', 'rename', 'delete' },
  })
  able.experimental = vim.tbl_extend('force', able.experimental or {}, { codeplan = { version = 1, asks = true } })
  return able
end

local function show_lenses(client_id)
  if vim.g.codeplan_lenses == false then
    return
  end
  -- From 0.12 on lenses follow by themselves, once they are wanted.
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { client_id = client_id })
    return
  end
  -- Before, a line that was typed in has lost its lens.
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if vim.lsp.buf_is_attached(buffer, client_id) then
      vim.api.nvim_buf_call(buffer, function() vim.lsp.codelens.refresh() end)
    end
  end
end

--- What is the same for every root and every version of Neovim. The variables are read when a client
--- starts, since they may be set after the plugin was loaded.
local function shared()
  return {
    name = 'codeplan',
    capabilities = capabilities(),
    handlers = {
      -- What the server says is for the person, in every version of Neovim in the same way.
      ['window/showMessage'] = function(_, params)
        vim.notify(params.message, ({ vim.log.levels.ERROR, vim.log.levels.WARN })[params.type] or vim.log.levels.INFO)
      end,
      ['workspace/applyEdit'] = function(_, params, context)
        return require('codeplan.edits').apply(params, vim.lsp.get_client_by_id(context.client_id))
      end,
      ['$/progress'] = function(err, params, context, config)
        local told = M.progress[params.token]
        if not told then
          return vim.lsp.handlers['$/progress'](err, params, context, config)
        elseif params.value.message then
          told(params.value.message)
        end
      end,
      ['codeplan/reviewed'] = function(_, params) require('codeplan.plan').reviewed(params.run) end,
      ['codeplan/changed'] = function(_, params, context)
        M.counts[context.client_id] = params
        show_lenses(context.client_id)
        vim.api.nvim_exec_autocmds('User', { pattern = 'CodeplanUpdate', modeline = false })
      end,
    },
    before_init = function(params)
      params.initializationOptions = vim.g.codeplan_settings
    end,
    on_exit = function(_, _, gone)
      M.counts[gone] = nil
    end,
  }
end

--- For `vim.lsp.config`, which has it from `lsp/codeplan.lua`.
function M.configuration()
  return vim.tbl_extend('error', shared(), {
    filetypes = require('codeplan.filetypes'),
    cmd = function(dispatchers, config)
      return vim.lsp.rpc.start(command(), dispatchers, { cwd = config and config.root_dir, env = vim.g.codeplan_environment })
    end,
    root_dir = function(buffer, found)
      local root = root_to_attach(buffer)
      if root then
        found(root)
      end
    end,
  })
end

local function start(root)
  if HAS_CONFIGURATIONS then
    return vim.lsp.start(vim.tbl_extend('force', vim.lsp.config.codeplan, { root_dir = root }), { attach = false })
  end
  if not (started[root] and vim.lsp.get_client_by_id(started[root])) then
    started[root] = vim.lsp.start_client(vim.tbl_extend('error', shared(), {
      cmd = command(),
      cmd_env = vim.g.codeplan_environment,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    }))
  end
  return started[root]
end

local function attach(buffer, root)
  local id = start(root)
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

--- Joins a buffer to its root's client, which is started if there is none, where Neovim does not do so itself.
function M.opened(buffer)
  local root = root_to_attach(buffer)
  if root then
    attach(buffer, root)
  end
end

--- The clients that run.
function M.all()
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ name = 'codeplan' })
  end
  local clients = {}
  for _, id in pairs(started) do
    clients[#clients + 1] = vim.lsp.get_client_by_id(id)
  end
  return clients
end

--- The client of a buffer (default: the current one), or nil.
function M.of(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local root = M.root_of(vim.api.nvim_buf_get_name(buffer))
  local of_root
  for _, client in ipairs(M.all()) do
    if vim.lsp.buf_is_attached(buffer, client.id) then
      return client
    end
    if client.config.root_dir == root then
      of_root = client
    end
  end
  return of_root
end

--- The client of the current buffer, which is attached if it is not. Says why if it cannot be.
function M.needed()
  local buffer = vim.api.nvim_get_current_buf()
  if M.of(buffer) then
    return M.of(buffer)
  end
  local root = root_of_buffer(buffer)
  local missing = M.missing()
  if not root then
    vim.notify('codeplan: this buffer shows no file of a repository', vim.log.levels.WARN)
  elseif missing then
    vim.notify('codeplan: ' .. missing .. ' is not on the path; :checkhealth codeplan says more', vim.log.levels.ERROR)
  else
    attach(buffer, root)
    -- A client that ended leaves all of its buffers behind.
    for _, other in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_is_loaded(other) and vim.tbl_contains(require('codeplan.filetypes'), vim.bo[other].filetype) and root_of_buffer(other) == root then
        attach(other, root)
      end
    end
    vim.wait(GREETING_MS_MOST, function() return M.of(buffer) ~= nil end, 10)
    return M.of(buffer)
  end
end

--- The request that is under way, to be cancelled.
local pending
--- Requests that told how far they were, to name each.
local tokens = 0

--- Newer clients take `self`; the older ones are plain functions.
local function call(client, method, ...)
  if HAS_CONFIGURATIONS then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- Asks and gives the result to `done`; errors are shown. `more.failed` is called after an error, `more.progress` with
--- how far it is. Gives what the request is cancelled by.
function M.request(client, method, params, done, more)
  more = more or {}
  local token
  if more.progress then
    tokens = tokens + 1
    token = 'nvim-' .. tokens
    M.progress[token] = more.progress
    params = vim.tbl_extend('error', params, { workDoneToken = token })
  end
  local ok, id = call(client, 'request', method, params, function(err, result)
    pending = nil
    if token then
      M.progress[token] = nil
    end
    if err then
      vim.notify('codeplan: ' .. (err.message or vim.inspect(err)), vim.log.levels.ERROR)
      if more.failed then
        more.failed()
      end
      return
    end
    done(result)
  end)
  if not ok then
    vim.notify('codeplan: the server has ended; see :checkhealth codeplan', vim.log.levels.ERROR)
    return
  end
  pending = { client = client, id = id }
  return pending
end

--- Asks what is answered at once, and waits for it: the keys that are typed next are about what it shows. Nil after an
--- error, which is shown.
function M.request_now(client, method, params)
  local answer, why = call(client, 'request_sync', method, params, ANSWER_MS_MOST, 0)
  local err = not answer and (why or 'no answer') or answer.err and answer.err.message
  if err then
    vim.notify('codeplan: ' .. err, vim.log.levels.ERROR)
    return nil
  end
  return answer.result
end

--- Runs a server command, whose argument is one object.
function M.execute(client, name, argument, done)
  M.request(client, 'workspace/executeCommand', { command = name, arguments = { argument } }, done)
end

--- Cancels what is under way, or what `request` gave; false if nothing is.
function M.cancel(request)
  request = request or pending
  if not request then
    return false
  end
  call(request.client, 'cancel_request', request.id)
  return true
end

return M
