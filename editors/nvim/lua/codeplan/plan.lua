-- The plan under review: steps with marks, in a buffer of its own, and what is done with them.
local client = require('codeplan.client')
local rows = require('codeplan.rows')

local M = {}

--- The last plan: a view (`rows.lua`) with its `report` and its `source`.
local current
--- The buffer of the last difference.
local shown

local HELP = 'Tab unfold   a accept   r reject   = diff   ? why   v value   x apply   g again   n p next   <CR> go there   q close'

local function step_of(id)
  for _, step in ipairs(current.report.steps) do
    if step.id == id then
      return step
    end
  end
end

--- What the rows are asked for with. Those that are hidden do not come with the others: they may be thousands.
local function as_folded()
  return { run = current.report.run, folded = next(current.folded) and current.folded or vim.empty_dict() }
end

--- Asks for the rows anew, and draws them.
local function refresh(done)
  client.request(current.client, 'codeplan/rows', as_folded(), function(report)
    current.rows = report
    rows.draw(current)
    if done then
      done()
    end
  end)
end

--- The plan was reviewed elsewhere.
function M.reviewed(run)
  if current and current.report.run == run and current.buffer and vim.api.nvim_buf_is_valid(current.buffer) then
    refresh()
  end
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
  local row = rows.here(current)
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

--- What a plan is of: `ask` asks for it with what was given, `nothing` is what is said where it is empty.
local function of_latest_edit(connection)
  return {
    nothing = 'nothing has to follow from the latest edit',
    ask = function(given, done) client.execute(connection, 'codeplan.preview', given, done) end,
  }
end

local function of_refactoring(connection, refactoring)
  return {
    nothing = 'nothing has to follow from the latest edit',
    ask = function(given, done)
      client.execute(connection, 'codeplan.refactor', vim.tbl_extend('error', { refactoring = refactoring, preview = true }, given), done)
    end,
  }
end

local function of_request(connection, text, options)
  local source = { nothing = 'no edit came of the plan' }
  function source.ask(given, done)
    client.request(connection, 'codeplan/do', vim.tbl_extend('force', options, given, { plan = text }), function(report)
      if report.edits ~= vim.NIL then
        return done(report.edits)
      end
      local lines = { 'codeplan: ' .. source.nothing }
      for _, work in ipairs(report.work) do
        if work.state == 'open' then
          lines[#lines + 1] = string.format('step %d: %s', work.step, work.reason)
        end
      end
      vim.notify(table.concat(lines, '\n'), vim.log.levels.WARN)
    end)
  end
  return source
end

--- Makes the plan, asks for the values that it lacks, each place once, and hands it to `done`. An empty
--- answer leaves all places that need the value. Asks too whether to do what takes consent.
local function make(connection, source, done)
  local asked, values, accept = {}, vim.empty_dict(), nil
  local go_on
  local function preview()
    source.ask({ values = values, accept = accept }, go_on)
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
      vim.notify('codeplan: ' .. source.nothing)
      return
    end
    rows.close(current)
    current = { client = connection, report = report, source = source, help = HELP, folded = {} }
    current.unfolded = function() current.rows = client.request_now(current.client, 'codeplan/rows', as_folded()) or current.rows end
    done()
  end
  preview()
end

local show

local function again() show(current.client, current.source) end

function show(connection, source)
  make(connection, source, function()
    current.buffer = rows.scratch('codeplan://plan/' .. current.report.run, {}, 'codeplan')
    rows.keys(current, {
      a = { function() M.accept() end, 'accept what the row stands for' },
      r = { function() M.reject() end, 'reject what the row stands for' },
      ['='] = { function() M.diff() end, 'show what the step changes' },
      ['?'] = { function() M.why() end, 'say why' },
      x = { function() M.apply() end, 'apply all but what is rejected' },
      g = { again, 'make the plan again' },
      v = { again, 'give values' },
    })
    refresh(function() rows.move(current, 1) end)
  end)
end

--- Shows the plan of the latest edit, or of what is asked for by `refactoring`.
function M.open(connection, refactoring)
  show(connection, refactoring and of_refactoring(connection, refactoring) or of_latest_edit(connection))
end

--- Carries a plan of a request out, and shows its edits. `options` are as `codeplan/do` takes them.
function M.carry_out(connection, text, options)
  show(connection, of_request(connection, text, options))
end

--- Tells the server what the person says of what the row stands for (a hunk, a step, a group, a file) or of the step
--- with that number, and shows what that makes of the others.
local function review(id, verdict)
  local steps = chosen(id)
  if #steps == 0 then
    return
  end
  local said = { run = current.report.run }
  local hunk = not id and rows.here(current).hunk
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
    shown = rows.scratch('codeplan://diff/' .. current.report.run .. '/' .. step.id, vim.split(step.diff, '\n'), 'diff')
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
    local line = 'follows from ' .. (by and (by.block .. ' in ' .. by.file) or 'your edit')
    if not vim.tbl_contains(lines, line) then
      lines[#lines + 1] = line
    end
  end
  if step.how == 'mechanical' then
    lines[#lines + 1] = 'edited by rule ' .. step.rule
  end
  vim.lsp.util.open_floating_preview(lines, 'text', {})
end

--- Applies the plan without what was rejected.
function M.apply()
  if not current then
    vim.notify('codeplan: there is no plan; :Codeplan plan makes one', vim.log.levels.WARN)
    return
  end
  client.execute(current.client, 'codeplan.propagate', { run = current.report.run }, function(result)
    if result.applied then
      rows.close(current)
      current = nil
    end
  end)
end

--- Plan and apply in one go.
function M.propagate(connection)
  make(connection, of_latest_edit(connection), M.apply)
end

return M
