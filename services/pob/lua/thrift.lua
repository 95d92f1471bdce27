-- Leaves out of a calculation what comes after the stats and is no input of them: the pass for the breakdowns, and the calculators that are
-- made for later. Everything that a stat can be computed from stays. For a copy of the process that ends afterwards: nothing is put back.
-- What comes out is checked by whoever asks for it, with whole calculations of some.
local thrift = {}

function thrift.apply()
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
end

return thrift
