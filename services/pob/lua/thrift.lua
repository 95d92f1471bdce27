-- Leaves out of a calculation what the wanted stats do not need: the damage of all skills together, the estimates of what hits can be
-- survived, the breakdowns, and the calculators that are made for later. For a copy of the process that ends afterwards: nothing is put
-- back. What comes out is checked by whoever asks for it, with one whole calculation.
local thrift = {}

-- Stats that are known before the estimates of defence begin. Others are taken to need all.
local early = {
  CombinedDPS = true, TotalDPS = true, TotalDot = true, AverageHit = true, AverageDamage = true, Speed = true, CritChance = true,
  CritMultiplier = true, HitChance = true, Accuracy = true, Life = true, EnergyShield = true, Mana = true, Str = true, Dex = true,
  Int = true, Armour = true, Evasion = true, FireResist = true, ColdResist = true, LightningResist = true, ChaosResist = true,
}

function thrift.all_early(stats)
  for _, stat in ipairs(stats) do
    if not early[stat] then return false end
  end
  return true
end

function thrift.apply(stats)
  local calcs = build.calcsTab.calcs
  if type(calcs) ~= "table" then return end
  local output, main = calcs.buildOutput, nil
  if output then
    calcs.buildOutput = function(of, mode, ...)
      if mode ~= "MAIN" and main then return main end
      main = output(of, mode, ...)
      return main
    end
  end
  for _, name in ipairs({ "getNodeCalculator", "getMiscCalculator" }) do
    if calcs[name] then calcs[name] = function() end end
  end
  if not thrift.all_early(stats) then return end
  if calcs.calcFullDPS then calcs.calcFullDPS = function() return { skills = {}, combinedDPS = 0, TotalDotDPS = 0 } end end
  if calcs.buildDefenceEstimations then calcs.buildDefenceEstimations = function() end end
end

return thrift
