-- Edits that the server hands over: all of them are made, or none.
--
-- Neovim's own way stops in the middle where a file is open elsewhere or a buffer moved on. Here every file is looked
-- at before the first edit, and a failure takes back what was made. Made files are unsaved buffers; saving is the
-- person's.
local M = {}

local function exists(path)
  return vim.loop.fs_stat(path) ~= nil
end

--- Loads the file's buffer; nil where another editor has a swap file of it.
local function load(path)
  local buffer = vim.fn.bufadd(path)
  if vim.api.nvim_buf_is_loaded(buffer) then
    return buffer
  end
  local is_taken = false
  local watching = vim.api.nvim_create_autocmd('SwapExists', {
    callback = function()
      is_taken = true
      vim.v.swapchoice = 'q'
    end,
  })
  local loaded = pcall(vim.fn.bufload, buffer)
  vim.api.nvim_del_autocmd(watching)
  if is_taken or not loaded then
    pcall(vim.api.nvim_buf_delete, buffer, { force = true })
    return nil
  end
  vim.bo[buffer].buflisted = true
  return buffer
end

--- The buffer of a file that is loaded, or nil.
local function loaded(path)
  local buffer = vim.fn.bufnr('^' .. vim.fn.escape(path, '\\?*[]{},') .. '$')
  return buffer > 0 and vim.api.nvim_buf_is_loaded(buffer) and buffer or nil
end

local function is_stale(buffer, version)
  local known = vim.lsp.util.buf_versions[buffer]
  return version and version ~= vim.NIL and known and known > version
end

--- Why the file of an edit cannot be edited, or nil.
local function obstacle_of_text(path, version)
  local buffer = load(path)
  if not buffer then
    return path .. ' is open in another editor (it has a swap file)'
  elseif not vim.bo[buffer].modifiable or vim.bo[buffer].readonly then
    return 'the buffer of ' .. path .. ' is read-only'
  elseif is_stale(buffer, version) then
    return 'the text of ' .. path .. ' moved on'
  elseif exists(path) and vim.fn.filewritable(path) == 0 then
    return path .. ' cannot be written'
  end
end

--- Why a change cannot be made, or nil. `made` are files that changes before it make.
local function obstacle(change, made)
  local path = vim.uri_to_fname(change.uri or change.oldUri or change.textDocument.uri)
  if change.kind == 'create' or change.kind == 'rename' then
    local new = change.kind == 'create' and path or vim.uri_to_fname(change.newUri)
    made[new] = true
    if exists(new) or loaded(new) then
      return new .. ' is there already'
    end
  end
  if change.kind ~= 'create' and not made[path] then
    return obstacle_of_text(path, change.textDocument and change.textDocument.version)
  end
end

local function remove(path)
  local buffer = loaded(path)
  local lines = buffer and vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local was_there = exists(path)
  if buffer then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  if was_there then
    assert(os.remove(path))
  end
  return function()
    if lines and was_there then
      vim.fn.writefile(lines, path)
    end
  end
end

local function create(path, client_id)
  vim.fn.mkdir(vim.fn.fnamemodify(path, ':h'), 'p')
  local buffer = assert(load(path), path)
  -- What is unsaved has to be known to the server, whatever the type of the file.
  vim.lsp.buf_attach_client(buffer, client_id)
  return function() vim.api.nvim_buf_delete(buffer, { force = true }) end
end

--- Without their annotations: the plan was looked at before, and Neovim 0.12 would ask again for each file and leave
--- those out that a person says no to.
local function unannotated(edits)
  return vim.tbl_map(function(one) return { range = one.range, newText = one.newText } end, edits)
end

local function edit(change, encoding)
  local buffer = assert(load(vim.uri_to_fname(change.textDocument.uri)))
  local before = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  vim.lsp.util.apply_text_edits(unannotated(change.edits), buffer, encoding)
  -- A buffer without text has one empty line all the same, which then stands behind the new text.
  local last = vim.api.nvim_buf_line_count(buffer)
  if #before == 1 and before[1] == '' and last > 1 and vim.api.nvim_buf_get_lines(buffer, last - 1, last, false)[1] == '' then
    vim.api.nvim_buf_set_lines(buffer, last - 1, last, false, {})
  end
  return function() vim.api.nvim_buf_set_lines(buffer, 0, -1, false, before) end
end

--- Makes one change, and gives what takes it back.
local function make(change, client)
  if change.kind == 'create' then
    return create(vim.uri_to_fname(change.uri), client.id)
  elseif change.kind == 'delete' then
    return remove(vim.uri_to_fname(change.uri))
  elseif change.kind == 'rename' then
    local old, new = vim.uri_to_fname(change.oldUri), vim.uri_to_fname(change.newUri)
    vim.fn.mkdir(vim.fn.fnamemodify(new, ':h'), 'p')
    vim.lsp.util.rename(old, new, {})
    assert(exists(new), old .. ' could not be renamed')
    return function() vim.lsp.util.rename(new, old, {}) end
  end
  return edit(change, client.offset_encoding or 'utf-16')
end

--- Answers `workspace/applyEdit`.
function M.apply(params, client)
  local changes, made = params.edit.documentChanges or {}, {}
  for _, change in ipairs(changes) do
    local reason = obstacle(change, made)
    if reason then
      return { applied = false, failureReason = reason }
    end
  end
  local done = {}
  for _, change in ipairs(changes) do
    local ok, back = pcall(make, change, client)
    if not ok then
      for n = #done, 1, -1 do
        pcall(done[n])
      end
      return { applied = false, failureReason = tostring(back) }
    end
    done[#done + 1] = back
  end
  return { applied = true }
end

return M
