-- Finds nodes of the passive tree, gems, uniques, bases and options of the configuration by words of their name or of their lines.
local parts = ...
local json, session, config = parts.json, parts.session, parts.config
local search = {}

local function lines_of(list)
  local lines = json.list()
  for _, line in ipairs(list or {}) do
    if type(line) == "table" then line = line.line end
    if type(line) == "string" and line:find("%S") then lines[#lines + 1] = line end
  end
  return lines
end

local sources = {}

function sources.node(add)
  local spec = session.loaded().spec
  for id, node in pairs(spec.nodes) do
    if node.dn and node.type ~= "ClassStart" and node.type ~= "AscendClassStart" then
      add({
        id = id, name = node.dn, type = node.ascendancyName and node.type .. " of " .. node.ascendancyName or node.type, lines = lines_of(node.sd),
        allocated = node.alloc == true, points = not node.alloc and node.path and #node.path or nil,
      })
    end
  end
end

function sources.gem(add)
  for _, gem in pairs(session.loaded().data.gems or {}) do
    local skill = gem.grantedEffect
    add({ name = gem.name, type = skill and skill.support and "Support" or "Skill", lines = lines_of({ gem.tagString, skill and skill.description }) })
  end
end

function sources.unique(add)
  session.loaded()
  for _, item in pairs(main.uniqueDB and main.uniqueDB.list or {}) do
    local lines = lines_of(item.implicitModLines)
    for _, line in ipairs(lines_of(item.explicitModLines)) do lines[#lines + 1] = line end
    add({ name = item.title or item.name, type = item.baseName, lines = lines })
  end
end

function sources.base(add)
  session.loaded()
  for name, base in pairs(data and data.itemBases or {}) do
    local implicit = type(base) == "table" and base.implicit
    add({ name = name, type = type(base) == "table" and base.type or nil, lines = lines_of(implicit and { implicit } or {}) })
  end
end

function sources.option(add)
  session.loaded()
  for _, option in ipairs(config.options()) do
    local lines = { option.label }
    for _, entry in ipairs(type(option.list) == "table" and option.list or {}) do
      lines[#lines + 1] = tostring(entry.val) .. (entry.label and ": " .. tostring(entry.label) or "")
    end
    add({ name = option.var, type = option.type, lines = lines_of(lines) })
  end
end

local order = { "node", "gem", "unique", "base", "option" }
local most_lines = 30

-- How well it fits: 0 the whole name, 1 its beginning, 2 all words in the name, 3 in name and lines; nothing when a word is missing.
local function fit(entry, text, words)
  local name = entry.name:lower()
  if name == text then return 0 end
  if name:sub(1, #text) == text then return 1 end
  local all, within = name, 2
  for _, word in ipairs(words) do
    if not name:find(word, 1, true) then
      if within == 2 then all, within = name .. "\n" .. table.concat(entry.lines, "\n"):lower(), 3 end
      if not all:find(word, 1, true) then return nil end
    end
  end
  return within
end

function search.run(params)
  session.loaded()
  local text, words, wanted, found = params.text:lower(), {}, {}, {}
  for word in text:gmatch("%S+") do words[#words + 1] = word end
  for _, kind in ipairs(params.kinds or order) do wanted[kind] = true end
  for place, kind in ipairs(order) do
    if wanted[kind] then
      sources[kind](function(entry)
        local fits = fit(entry, text, words)
        if fits then
          entry.kind = kind
          found[#found + 1] = { entry = entry, fits = fits, kind = place }
        end
      end)
    end
  end
  table.sort(found, function(a, b)
    if a.fits ~= b.fits then return a.fits < b.fits end
    if a.kind ~= b.kind then return a.kind < b.kind end
    if a.entry.name ~= b.entry.name then return a.entry.name < b.entry.name end
    return (a.entry.id or 0) < (b.entry.id or 0)
  end)
  local shown = json.list()
  for at = 1, math.min(params.limit, #found) do
    local entry, lines = found[at].entry, json.list()
    for line = 1, math.min(#entry.lines, most_lines) do lines[line] = entry.lines[line] end
    entry.lines = lines
    shown[at] = entry
  end
  return { found = shown, total = #found }
end

return search
