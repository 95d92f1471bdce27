-- The stand-in's items: bases, lines that it understands, and one unique. Answers which slot each base goes into, and reads items.
local kinds = {
  ["+# to maximum Life"] = "life", ["#% increased Spell Damage"] = "inc", ["#% increased Spell Damage if you would survive"] = "brave",
  ["Foresight of #"] = "shown", ["Immune to Chaos Damage"] = "immune", ["Curse of No Number"] = "cursed",
}

modLib = { parseModCache = {} }
for kind in pairs(kinds) do modLib.parseModCache[kind:gsub("#", "7")] = { { kind }, nil } end

-- What a line gives; what of it is not understood is the second value, as it is in the real one.
function modLib.parseMod(line)
  local kind = line:gsub("%d+", "#")
  if kinds[kind] then return { { name = kinds[kind], value = tonumber(line:match("%d+")) or 1 } } end
  for known, name in pairs(kinds) do
    if kind:sub(1, #known) == known then return { { name = name, value = 0 } }, line:sub(#line - (#kind - #known) + 1) end
  end
  return nil, line
end

local bases = {
  ["Driftwood Wand"] = "^Weapon", ["Rusted Helmet"] = "^Helmet", ["Jade Amulet"] = "^Amulet", ["Life Flask"] = "^Flask",
}
data = { itemBases = bases }

local headed = { Rarity = true, Implicits = true, LevelReq = true, Str = true }
local methods = {}

local function parse(item, text)
  local lines = {}
  for line in text:gmatch("[^\n]+") do
    if line:find("%S") then lines[#lines + 1] = line:match("^%s*(.-)%s*$") end
  end
  local at = bases[lines[3]] and 3 or bases[lines[2]] and 2 or nil
  local base = at and lines[at]
  for name, method in pairs(methods) do item[name] = method end
  item.raw, item.rawLines, item.title, item.name, item.baseName = text, lines, lines[2], lines[2], base
  item.base = base and { type = base:match("Amulet") or base }
  item.rarity, item.gives = (lines[1] or ""):match("Rarity: (%u+)"), { life = 0, inc = 0, brave = 0, shown = 0, immune = 0, cursed = 0 }
  item.explicitModLines, item.enchantModLines, item.head = {}, {}, {}
  item.requirements = { level = tonumber(text:match("LevelReq: (%d+)")), str = tonumber(text:match("Str: (%d+)")) or 0 }
  if at == 3 then item.name = item.title .. ", " .. base end
  for i, line in ipairs(lines) do
    local allocates = line:match("^{[%a{}]+}(Allocates .+)")
    if i <= (at or #lines) or headed[line:match("^(%a+):")] then
      item.head[#item.head + 1] = line
    elseif allocates then
      table.insert(item.enchantModLines, { line = allocates })
    else
      local mods, extra = modLib.parseMod(line)
      table.insert(item.explicitModLines, { line = line, extra = not mods and line or extra })
      if mods and not extra then item.gives[mods[1].name] = item.gives[mods[1].name] + mods[1].value end
    end
  end
  return item
end

function methods:BuildRaw()
  if #self.enchantModLines == 0 then return self.raw end
  local out = { table.concat(self.head, "\n") }
  for _, mod in ipairs(self.enchantModLines) do out[#out + 1] = "{crafted}" .. mod.line end
  for _, mod in ipairs(self.explicitModLines) do out[#out + 1] = mod.line end
  return table.concat(out, "\n")
end

function methods:BuildAndParseRaw()
  parse(self, self:BuildRaw())
end

local function read(text) return parse({}, text) end

-- Newer checkouts answer a bare object, with a constructor of its class's name.
function new(kind, text)
  assert(kind == "Item")
  if newer then return { Item = parse } end
  return read(text)
end

local unique = read("Rarity: UNIQUE\nGoldrim\nRusted Helmet\n+77 to maximum Life")
main.uniqueDB = { list = { [unique.name] = unique } }

return { bases = bases, read = read }
