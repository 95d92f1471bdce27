-- The stand-in's items: bases, lines that it understands, and one unique. Answers which slot each base goes into.
local kinds = {
  ["+# to maximum Life"] = "life", ["#% increased Spell Damage"] = "inc",
}

modLib = { parseModCache = {} }
for kind in pairs(kinds) do modLib.parseModCache[kind:gsub("#", "7")] = { { kind }, nil } end

-- What a line gives; what of it is not understood is the second value, as it is in the real one.
function modLib.parseMod(line)
  local kind = line:gsub("%d+", "#")
  if kinds[kind] then return { { name = kinds[kind], value = tonumber(line:match("%d+")) } } end
  for known, name in pairs(kinds) do
    if kind:sub(1, #known) == known then return { { name = name, value = 0 } }, line:sub(#line - (#kind - #known) + 1) end
  end
  return nil, line
end

local bases = { ["Driftwood Wand"] = "^Weapon", ["Rusted Helmet"] = "^Helmet" }
data = { itemBases = bases }

local headed = { Rarity = true, Implicits = true, LevelReq = true, Str = true }

function new(kind, text)
  assert(kind == "Item")
  local lines = {}
  for line in text:gmatch("[^\n]+") do
    if line:find("%S") then lines[#lines + 1] = line:match("^%s*(.-)%s*$") end
  end
  local at = bases[lines[3]] and 3 or bases[lines[2]] and 2 or nil
  local base = at and lines[at]
  local item = {
    raw = text, rawLines = lines, title = lines[2], name = lines[2], baseName = base, base = base and { type = base },
    rarity = (lines[1] or ""):match("Rarity: (%u+)"), gives = { life = 0, inc = 0 }, explicitModLines = {},
    requirements = { level = tonumber(text:match("LevelReq: (%d+)")), str = tonumber(text:match("Str: (%d+)")) or 0 },
  }
  if at == 3 then item.name = item.title .. ", " .. base end
  for i = (at or #lines) + 1, #lines do
    if not headed[lines[i]:match("^(%a+):")] then
      local mods, extra = modLib.parseMod(lines[i])
      table.insert(item.explicitModLines, { line = lines[i], extra = not mods and lines[i] or extra })
      if mods and not extra then item.gives[mods[1].name] = item.gives[mods[1].name] + mods[1].value end
    end
  end
  function item:BuildRaw() return self.raw end
  return item
end

local unique = new("Item", "Rarity: UNIQUE\nGoldrim\nRusted Helmet\n+77 to maximum Life")
main.uniqueDB = { list = { [unique.name] = unique } }

return bases
