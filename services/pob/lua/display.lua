-- How Path of Building itself shows a stat of the loaded build: label, unit and which way is good, from the lists its side bar is made
-- of. What depends on the main skill (a rate is one of attacks or of casts) is chosen as the side bar chooses it.
local json = ...

local function all(flags, has, wanted)
  if type(flags) == "string" then flags = { flags } end
  for _, flag in ipairs(flags or {}) do
    if (has[flag] and true or false) ~= wanted then return false end
  end
  return true
end

local function applies(row, flags)
  return all(row.flag, flags, true) and all(row.notFlag, flags, false)
end

local function shown(row, output)
  if not row.condFunc then return true end
  local ok, yes = pcall(row.condFunc, output[row.stat], output)
  return ok and yes
end

-- A value that is multiplied before it is shown is not a percentage itself.
local function unit_of(row)
  local format = row.fmt or ""
  if row.pc or row.mod then return nil end
  return format:find("%%%%") and "percent" or format:find("s$") and "seconds" or nil
end

local function collect(rows, actor, prefix, into)
  local output = actor and actor.output
  local flags = actor and actor.mainSkill and actor.mainSkill.skillFlags or {}
  if not output then return end
  local sure = {}
  for _, row in ipairs(rows or {}) do
    local name = row.stat and not row.childStat and prefix .. row.stat
    if name and row.label and output[row.stat] ~= nil and applies(row, flags) then
      local good = shown(row, output)
      if not into[name] or good and not sure[name] then
        sure[name] = good
        into[name] = {
          label = prefix == "" and row.label or prefix .. ": " .. row.label,
          unit = unit_of(row),
          better = row.lowerIsBetter and "lower" or nil,
        }
      end
    end
  end
end

-- For each stat that the side bar knows: how it is shown.
return function()
  local into = json.map()
  local env = build.calcsTab.mainEnv
  local player = env and env.player
  collect(build.displayStats, player, "", into)
  collect(build.minionDisplayStats, env and env.minion, "Minion", into)
  return into
end
