-- Starts the stand-in as a stock checkout starts: with noise on standard output, and with traps for who is not prepared.
print("Loading main script...")
io.write("Loading passive tree data for version '3_28'...\n")
if arg[1] then error("an argument is taken for a build to download") end
require("lua-utf8")
dofile("../../engine.lua")
print("Uniques loaded")
