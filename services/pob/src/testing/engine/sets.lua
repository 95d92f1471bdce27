-- The stand-in's lists of trees, of sets of items and of sets of skills, with the methods of Path of Building that choose and make them.
return function(build, new_spec)
  local trees = { activeSpec = 1, specList = {} }
  function trees:SetActiveSpec(place)
    self.activeSpec = math.min(place, #self.specList)
    build.spec = self.specList[self.activeSpec]
  end
  build.treeTab = trees

  local original = new
  function new(class, ...)
    if class ~= "PassiveSpec" then return original(class, ...) end
    local function construct(spec, _, version)
      for name, value in pairs(new_spec(version)) do spec[name] = value end
      return setmetatable(spec, getmetatable(new_spec(version)))
    end
    if newer then return { PassiveSpec = construct } end
    return construct({}, ...)
  end

  local items = build.itemsTab
  items.itemSets, items.itemSetOrderList, items.activeItemSetId = {}, { 1 }, 1
  function items:NewItemSet(id)
    local set = { id = id or #self.itemSets + 1 }
    for name in pairs(self.slots) do set[name] = { selItemId = 0 } end
    self.itemSets[set.id] = set
    return set
  end
  items.activeItemSet = items:NewItemSet(1)
  function items:SetActiveItemSet(id)
    for name, slot in pairs(self.slots) do
      self.activeItemSet[name].selItemId, self.activeItemSet[name].active = slot.selItemId, slot.active
      slot.selItemId, slot.active = self.itemSets[id][name].selItemId, self.itemSets[id][name].active
    end
    self.activeItemSetId, self.activeItemSet = id, self.itemSets[id]
    self:PopulateSlots()
  end

  local skills = { socketGroupList = {}, skillSets = {}, skillSetOrderList = { 1 }, activeSkillSetId = 1 }
  skills.skillSets[1] = { id = 1, socketGroupList = skills.socketGroupList }
  function skills:NewSkillSet()
    local set = { id = #self.skillSets + 1, socketGroupList = {} }
    self.skillSets[set.id] = set
    return set
  end
  function skills:SetActiveSkillSet(id)
    self.activeSkillSetId, self.socketGroupList = id, self.skillSets[id].socketGroupList
  end
  build.skillsTab = skills

  local edit = { buf = "" }
  function edit:SetText(text) self.buf = text end
  build.notesTab = { lastContent = "", controls = { edit = edit } }
end
