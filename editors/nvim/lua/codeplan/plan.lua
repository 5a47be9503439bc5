-- The plan under review: steps with marks, in a buffer of its own, and what is done with them.
local client = require('codeplan.client')

local M = {}

--- The last plan: { client, report, buffer }.
local current
--- The buffer of the last difference.
local shown

local HELP = 'Tab unfold   a accept   r reject   = diff   ? why   v value   x apply   g again   n p next   <CR> go there   q close'
local marked_by = vim.api.nvim_create_namespace('codeplan-plan')
local GROUPS = { file = 'Directory', alike = 'Title', open = 'WarningMsg', hunk = 'Comment', added = 'DiffAdd', removed = 'DiffDelete' }

local function step_of(id)
  for _, step in ipairs(current.report.steps) do
    if step.id == id then
      return step
    end
  end
end

local function is_folded(row)
  local said = current.folded[row.key]
  if said == nil then
    return row.isFolded
  end
  return said
end

--- The lines to show, and which row each is of.
local function lines_of()
  local lines = vim.list_extend({ HELP }, current.rows.head)
  lines[#lines + 1] = ''
  local at, hidden_below = {}, nil
  for _, row in ipairs(current.rows.rows) do
    if not hidden_below or row.level <= hidden_below then
      hidden_below = is_folded(row) and row.level or nil
      lines[#lines + 1] = string.rep('  ', row.level) .. row.text
      at[#lines] = row
    end
  end
  return lines, at
end

local function draw()
  if not (current.buffer and vim.api.nvim_buf_is_valid(current.buffer)) then
    return
  end
  local lines, at = lines_of()
  current.at = at
  vim.bo[current.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(current.buffer, 0, -1, false, lines)
  vim.bo[current.buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(current.buffer, marked_by, 0, -1)
  for number, row in pairs(at) do
    if GROUPS[row.kind] then
      vim.api.nvim_buf_add_highlight(current.buffer, marked_by, GROUPS[row.kind], number - 1, 0, -1)
    end
  end
end

--- Asks for the rows anew, and draws them.
local function refresh(done)
  client.request(current.client, 'codeplan/rows', { run = current.report.run }, function(rows)
    current.rows = rows
    draw()
    if done then
      done()
    end
  end)
end

--- The plan's window goes, if there is one.
local function close()
  if current and current.buffer and vim.api.nvim_buf_is_valid(current.buffer) then
    vim.api.nvim_buf_delete(current.buffer, { force = true })
  end
end

--- A buffer that is nobody's file.
local function scratch(name, lines, filetype)
  vim.cmd('botright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  pcall(vim.api.nvim_buf_set_name, buffer, name)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = filetype
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, desc = 'close' })
  return buffer
end

--- The row under the cursor of the plan, or nil.
local function row_here()
  return current.buffer == vim.api.nvim_get_current_buf() and current.at[vim.api.nvim_win_get_cursor(0)[1]] or nil
end

--- The steps that a command means: the one with that number, or those of the row under the cursor.
local function chosen(id)
  if not current then
    vim.notify('codeplan: there is no plan; :Codeplan plan makes one', vim.log.levels.WARN)
    return {}
  end
  if id then
    local step = step_of(tonumber(id))
    if not step then
      vim.notify('codeplan: the plan has no step ' .. id, vim.log.levels.WARN)
    end
    return { step }
  end
  local row = row_here()
  if not row or #row.steps == 0 then
    vim.notify('codeplan: say which step by its number, or put the cursor on it in the plan', vim.log.levels.WARN)
    return {}
  end
  return vim.tbl_map(step_of, row.steps)
end

local OTHER = 'another expression'
local EVERYWHERE, HERE = 'everywhere', 'only here'

--- Asks for one value: a choice where there are some, else an input; where other places need it too, for
--- which of them it is meant. `answer` gets '' for none, and whether it is for this place alone.
function M.ask(open, answer)
  local prompt = 'Value for ' .. open.value .. ' (' .. open.block .. ' in ' .. open.file .. '): '
  local here = open.choicesHere or {}
  local function scope(given)
    if given == '' or not open.key then
      return answer(given, false)
    elseif vim.tbl_contains(here, given) then
      return answer(given, true)
    end
    vim.ui.select({ EVERYWHERE, HERE }, { prompt = 'Pass ' .. given .. ' for ' .. open.value .. ': ' }, function(chosen)
      answer(chosen and given or '', chosen == HERE)
    end)
  end
  local function input()
    vim.ui.input({ prompt = prompt }, function(given) scope(given or '') end)
  end
  local choices = vim.list_extend(vim.list_extend({}, open.choices or {}), here)
  if #choices == 0 then
    return input()
  end
  vim.ui.select(vim.list_extend(choices, { OTHER }), { prompt = prompt }, function(chosen)
    if chosen == OTHER then
      input()
    else
      scope(chosen or '')
    end
  end)
end

--- Asks whether to do what the plan does only where somebody agrees.
function M.consent(open, answer)
  local prompt = open.block .. ' in ' .. open.file .. ': ' .. open.reason .. '. Drop it, with what callers pass?'
  vim.ui.select({ 'Do it', 'Leave it' }, { prompt = prompt }, function(chosen) answer(chosen == 'Do it') end)
end

--- Makes the plan, asks for the values that it lacks, each place once, and hands it to `done`. An empty
--- answer leaves all places that need the value. Asks too whether to do what takes consent. With `refactoring`
--- the plan of that one, else of the latest edit.
local function make(connection, refactoring, done)
  local asked, values, accept = {}, vim.empty_dict(), nil
  local go_on
  local function preview()
    if refactoring then
      client.execute(connection, 'codeplan.refactor', { refactoring = refactoring, preview = true, values = values, accept = accept }, go_on)
    else
      client.execute(connection, 'codeplan.preview', { values = values, accept = accept }, go_on)
    end
  end
  function go_on(report)
    for _, open in ipairs(report.open) do
      local name = open.value
      local key = open.key or name
      if name and not asked[name] and not asked[key] then
        asked[key] = true
        return M.ask(open, function(given, is_here)
          if given == '' or not is_here then
            asked[name] = true
          end
          if given == '' then
            return go_on(report)
          end
          values[is_here and key or name] = given
          preview()
        end)
      end
      if open.accept and not accept and not asked['accept ' .. open.accept] then
        asked['accept ' .. open.accept] = true
        return M.consent(open, function(agreed)
          if not agreed then
            return go_on(report)
          end
          accept = { open.accept }
          preview()
        end)
      end
    end
    if #report.steps + #report.open == 0 then
      vim.notify('codeplan: nothing has to follow from the latest edit')
      return
    end
    close()
    current = { client = connection, report = report, refactoring = refactoring }
    done()
  end
  preview()
end

--- Goes to the next row that holds others or an edit, or to the one before.
local function move(by)
  local line = vim.api.nvim_win_get_cursor(0)[1] + by
  while line >= 1 and line <= vim.api.nvim_buf_line_count(0) do
    local row = current.at[line]
    if row and vim.tbl_contains({ 'file', 'alike', 'step', 'open', 'hunk' }, row.kind) then
      return vim.api.nvim_win_set_cursor(0, { line, 0 })
    end
    line = line + by
  end
end

--- Shows the plan of the latest edit, or of what is asked for by `refactoring`.
function M.open(connection, refactoring)
  make(connection, refactoring, function()
    current.folded = {}
    current.buffer = scratch('codeplan://plan/' .. current.report.run, {}, 'codeplan')
    local map = function(key, run, desc)
      vim.keymap.set('n', key, run, { buffer = current.buffer, desc = desc })
    end
    map('a', function() M.accept() end, 'accept what the row stands for')
    map('r', function() M.reject() end, 'reject what the row stands for')
    map('=', function() M.diff() end, 'show what the step changes')
    map('?', function() M.why() end, 'say why')
    map('x', function() M.apply() end, 'apply all but what is rejected')
    map('<CR>', function() M.go() end, 'go there')
    map('<Tab>', function() M.unfold() end, 'unfold or fold the row')
    map('n', function() move(1) end, 'next row')
    map('p', function() move(-1) end, 'row before')
    map('g', function() M.open(current.client, current.refactoring) end, 'make the plan again')
    map('v', function() M.open(current.client, current.refactoring) end, 'give values')
    refresh(function() move(1) end)
  end)
end

--- Shows or hides what the row under the cursor holds.
function M.unfold()
  local row = current and row_here()
  if row then
    current.folded[row.key] = not is_folded(row)
    local cursor = vim.api.nvim_win_get_cursor(0)
    draw()
    vim.api.nvim_win_set_cursor(0, cursor)
  end
end

--- Tells the server what the person says of what the row stands for (a hunk, a step, a group, a file) or of the step
--- with that number, and shows what that makes of the others.
local function review(id, verdict)
  local steps = chosen(id)
  if #steps == 0 then
    return
  end
  local said = { run = current.report.run }
  local hunk = not id and row_here().hunk
  if hunk then
    said[verdict .. 'Hunks'] = { { step = steps[1].id, hunk = hunk } }
  else
    said[verdict] = vim.tbl_map(function(step) return step.id end, steps)
  end
  client.request(current.client, 'codeplan/review', said, function() refresh() end)
end

function M.accept(id) review(id, 'accept') end
function M.reject(id) review(id, 'reject') end

function M.diff(id)
  local step = chosen(id)[1]
  if step then
    if shown and vim.api.nvim_buf_is_valid(shown) then
      vim.api.nvim_buf_delete(shown, { force = true })
    end
    shown = scratch('codeplan://diff/' .. current.report.run .. '/' .. step.id, vim.split(step.diff, '\n'), 'diff')
  end
end

function M.why(id)
  local step = chosen(id)[1]
  if not step then
    return
  end
  local lines = vim.split(step.reason, '\n')
  for _, cause in ipairs(step.causes) do
    local by = step_of(cause.step)
    lines[#lines + 1] = string.format('%s of %s (%s)', cause.relation, by and (by.block .. ' in ' .. by.file) or 'your edit', cause.label)
  end
  lines[#lines + 1] = step.how .. ': ' .. step.rule
  vim.lsp.util.open_floating_preview(lines, 'text', {})
end

function M.go()
  local row = current and row_here()
  if row and row.place then
    vim.cmd('wincmd p')
    vim.cmd('edit ' .. vim.fn.fnameescape(current.client.config.root_dir .. '/' .. row.place.file))
    vim.api.nvim_win_set_cursor(0, { math.min(row.place.line, vim.api.nvim_buf_line_count(0)), 0 })
  end
end

--- Applies the plan without what was rejected.
function M.apply()
  if not current then
    vim.notify('codeplan: there is no plan; :Codeplan plan makes one', vim.log.levels.WARN)
    return
  end
  client.execute(current.client, 'codeplan.propagate', { run = current.report.run }, function(result)
    if result.applied then
      close()
      current = nil
    end
  end)
end

--- Plan and apply in one go.
function M.propagate(connection)
  make(connection, nil, M.apply)
end

return M
