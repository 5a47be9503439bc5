-- Plans of a request in words, in a buffer: the best and its runners-up, their symbols as links, edited step by step,
-- and carried out.
--
-- A plan is a text of the program's. What a key does to a step is the program's to say: it gives the texts and the
-- rows anew.
local client = require('codeplan.client')
local rows = require('codeplan.rows')

local M = {}

--- The last request: a view (`rows.lua`) with `plans`, `said`, and `search` while one is under way.
local current

local HELP = 'd strike out   r reword   g ground anew   o add   m mark   w what each asks for   x carry out   <CR> definition   Tab unfold   c stop   q close'
--- Best and runners-up.
local PLANS = 4
local MARKS = { 'edit', 'use', 'create', 'none' }
--- Those of the options of a search that hold for looking a step up too.
local OF_LOOK_UP = { 'symbols', 'exclude', 'tests' }
--- Requests so far, to name each.
local requests = 0

--- What the person set for searches, as `codeplan/planSearch` takes it.
local function options()
  return vim.g.codeplan_search or {}
end

local function show_progress(view, text)
  view.rows = { head = { 'searching for a plan: ' .. view.request, text }, rows = {} }
  rows.draw(view)
end

--- Asks for the rows, after what the person did to a step, and draws them. What is done meanwhile waits, since it is
--- done to what comes of this.
local function refresh(view, edit)
  if view.waiting then
    table.insert(view.waiting, edit)
    return
  end
  view.waiting = {}
  local function go_on()
    local waiting = view.waiting
    view.waiting = nil
    for _, one in ipairs(waiting) do
      refresh(view, one)
    end
  end
  local params = { plans = view.plans, edit = edit }
  for _, name in ipairs(OF_LOOK_UP) do
    params[name] = options()[name]
  end
  client.request(view.client, 'codeplan/planRows', params, function(report)
    view.plans = report.plans
    view.rows = { head = vim.list_extend(vim.list_extend(report.head, view.said), report.notes), rows = report.rows }
    rows.draw(view)
    go_on()
  end, { failed = go_on })
end

local function found(view, report)
  view.search = nil
  view.said = vim.list_extend({ report.message }, report.notes)
  if #report.plans == 0 then
    rows.close(view)
    vim.notify('codeplan: no plan was found' .. (#view.said > 0 and ': ' .. table.concat(view.said, '; ') or ''), vim.log.levels.WARN)
    return
  end
  view.plans = vim.tbl_map(function(plan) return plan.text end, report.plans)
  refresh(view)
end

--- Ends the search with what is best so far; false if none is under way.
function M.stop()
  local view = current
  if not (view and view.search) then
    return false
  end
  client.request(view.client, 'codeplan/planStop', { search = view.search }, function(report)
    -- Nothing is searched yet, or any more.
    if not report.stopped and view.search then
      client.cancel(view.id)
    end
  end)
  return true
end

--- The step under the cursor, or nil after saying that there is none.
local function step_here()
  local row = rows.here(current)
  if row and row.step then
    return row
  end
  vim.notify('codeplan: put the cursor on a step', vim.log.levels.WARN)
end

local function edit(row, as, to)
  refresh(current, { plan = row.plan, step = row.step or 0, as = as, to = to })
end

--- Strikes the step out, or takes it back in; on a symbol, takes that one out.
local function strike()
  local row = step_here()
  if row and row.symbol then
    edit(row, 'drop', row.symbol)
  elseif row then
    edit(row, 'strike')
  end
end

local function asked(prompt, default, done)
  vim.ui.input({ prompt = prompt, default = default }, function(words)
    if words and words ~= '' then
      done(words)
    end
  end)
end

local function reword()
  local row = step_here()
  if row and not row.intent then
    vim.notify('codeplan: put the cursor on the line of the step', vim.log.levels.WARN)
  elseif row then
    asked('What the step should say: ', row.intent, function(words) edit(row, 'reword', words) end)
  end
end

local function ground()
  local row = step_here()
  if row then
    edit(row, 'ground')
  end
end

local function add()
  local row = rows.here(current)
  if row then
    asked('What another step should say: ', nil, function(words) edit(row, 'add', words) end)
  end
end

local function mark()
  local row = step_here()
  if not row then
    return
  end
  vim.ui.select(MARKS, { prompt = 'The step asks to: ' }, function(chosen)
    if chosen == 'create' then
      vim.ui.input({ prompt = 'Create as <path>:<name> (empty: wherever it fits): ' }, function(place)
        if place then
          edit(row, 'mark', vim.trim('create ' .. place))
        end
      end)
    elseif chosen then
      edit(row, 'mark', chosen == 'none' and '' or chosen)
    end
  end)
end

--- The plan that the cursor is in, else the best.
local function plan_here()
  local row = rows.here(current)
  return row and row.plan or 0
end

--- Has the program say what each step of the plan asks for.
local function work()
  local view, plan = current, plan_here()
  if not view.plans then
    return
  end
  local params = vim.tbl_extend('force', options(), { plan = view.plans[plan + 1], stopAfter = 'work' })
  client.request(view.client, 'codeplan/do', params, function(report)
    view.plans[plan + 1] = report.text
    refresh(view)
  end)
end

local function carry_out()
  if current.plans then
    require('codeplan.plan').carry_out(current.client, current.plans[plan_here() + 1], options())
  end
end

--- Searches for plans of a request, and shows them.
function M.open(connection, request)
  M.stop()
  rows.close(current)
  requests = requests + 1
  local name = 'nvim-' .. vim.fn.getpid() .. '-' .. requests
  local view = { client = connection, request = request, help = HELP, folded = {}, said = {}, search = name }
  current = view
  view.buffer = rows.scratch('codeplan://request/' .. requests, {}, 'codeplan-request')
  rows.keys(view, {
    d = { strike, 'strike the step out, or take it back in' },
    r = { reword, 'reword the step, and look it up anew' },
    g = { ground, 'look the step up anew' },
    o = { add, 'add a step' },
    m = { mark, 'say what the step asks for' },
    w = { work, 'have it said what each step asks for' },
    x = { carry_out, 'carry the plan out' },
    c = { M.stop, 'end the search with what is best so far' },
  })
  vim.api.nvim_create_autocmd('BufWipeout', { buffer = view.buffer, callback = function()
    if current == view then
      M.stop()
    end
  end })
  show_progress(view, '')
  local params = vim.tbl_extend('force', { plans = PLANS, purpose = 'change' }, options(), { request = request, search = name })
  view.id = client.request(connection, 'codeplan/planSearch', params, function(report) found(view, report) end, {
    failed = function()
      view.search = nil
      rows.close(view)
    end,
    progress = function(text)
      if view.search then
        show_progress(view, text)
      end
    end,
  })
end

return M
