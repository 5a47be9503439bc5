-- The plan under review: steps with marks, in a buffer of its own, and what is done with them.
local client = require('codeplan.client')

local M = {}

--- The last plan: { client, report, buffer }.
local current
--- The buffer of the last difference.
local shown

local HELP = 'a accept   r reject   = diff   ? why   x apply   <CR> go there   q close'

local function step_of(id)
  for _, step in ipairs(current.report.steps) do
    if step.id == id then
      return step
    end
  end
end

local function lines_of()
  local report = current.report
  local lines = { HELP, '' }
  local at = {}
  for _, step in ipairs(report.steps) do
    lines[#lines + 1] = string.format('%3d %-8s %-10s %s:%d  %s  %s', step.id, step.status, step.how, step.file, step.startLine or 1, step.block, (step.reason:gsub('\n', ' ')))
    at[#lines] = step
  end
  if #report.open > 0 then
    lines[#lines + 1] = ''
    lines[#lines + 1] = 'left for you:'
    for _, open in ipairs(report.open) do
      lines[#lines + 1] = string.format('    %s:%d  %s  %s (needs a %s)', open.file, open.line or 1, open.block, (open.reason:gsub('\n', ' ')), open.needs)
      at[#lines] = open
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

--- The step that a command means: the one with that number, or the one under the cursor.
local function chosen(id)
  if not current then
    vim.notify('codeplan: there is no plan; :Codeplan plan makes one', vim.log.levels.WARN)
    return nil
  end
  if id then
    local step = step_of(tonumber(id))
    if not step then
      vim.notify('codeplan: the plan has no step ' .. id, vim.log.levels.WARN)
    end
    return step
  end
  local under = current.buffer == vim.api.nvim_get_current_buf() and current.at[vim.api.nvim_win_get_cursor(0)[1]] or nil
  if not (under and under.id) then
    vim.notify('codeplan: say which step by its number, or put the cursor on it in the plan', vim.log.levels.WARN)
    return nil
  end
  return under
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
--- answer leaves all places that need the value. Asks too whether to do what takes consent.
local function make(connection, done)
  local asked, values, accept = {}, vim.empty_dict(), nil
  local function go_on(report)
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
          client.execute(connection, 'codeplan.preview', { values = values, accept = accept }, go_on)
        end)
      end
      if open.accept and not accept and not asked['accept ' .. open.accept] then
        asked['accept ' .. open.accept] = true
        return M.consent(open, function(agreed)
          if not agreed then
            return go_on(report)
          end
          accept = { open.accept }
          client.execute(connection, 'codeplan.preview', { values = values, accept = accept }, go_on)
        end)
      end
    end
    if #report.steps + #report.open == 0 then
      vim.notify('codeplan: nothing has to follow from the latest edit')
      return
    end
    close()
    current = { client = connection, report = report }
    done()
  end
  client.execute(connection, 'codeplan.preview', vim.empty_dict(), go_on)
end

function M.open(connection)
  make(connection, function()
    current.buffer = scratch('codeplan://plan/' .. current.report.run, {}, 'codeplan')
    local map = function(key, run, desc)
      vim.keymap.set('n', key, run, { buffer = current.buffer, desc = desc })
    end
    map('a', function() M.accept() end, 'accept the step')
    map('r', function() M.reject() end, 'reject the step')
    map('=', function() M.diff() end, 'show what the step changes')
    map('?', function() M.why() end, 'say why')
    map('x', function() M.apply() end, 'apply all but what is rejected')
    map('<CR>', function() M.go() end, 'go there')
    draw()
  end)
end

--- Tells the server what the person says of a step, and shows what that makes of the others.
local function review(id, verdict)
  local step = chosen(id)
  if not step then
    return
  end
  client.request(current.client, 'codeplan/review', { run = current.report.run, [verdict] = { step.id } }, function(result)
    for _, each in ipairs(result.steps) do
      step_of(each.id).status = each.status
    end
    draw()
  end)
end

function M.accept(id) review(id, 'accept') end
function M.reject(id) review(id, 'reject') end

function M.diff(id)
  local step = chosen(id)
  if step then
    if shown and vim.api.nvim_buf_is_valid(shown) then
      vim.api.nvim_buf_delete(shown, { force = true })
    end
    shown = scratch('codeplan://diff/' .. current.report.run .. '/' .. step.id, vim.split(step.diff, '\n'), 'diff')
  end
end

function M.why(id)
  local step = chosen(id)
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
  local step = chosen()
  if step then
    vim.cmd('wincmd p')
    vim.cmd('edit ' .. vim.fn.fnameescape(current.client.config.root_dir .. '/' .. step.file))
    vim.api.nvim_win_set_cursor(0, { step.startLine or 1, 0 })
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
  make(connection, M.apply)
end

return M
