-- Starts the stand-in as the fork starts: noise, then, when asked for by the environment, its own JSON lines.
print("Loading main script...")
dofile("../../engine.lua")
if os.getenv("POB_API_STDIO") == "1" then dofile("API/Server.lua") end
