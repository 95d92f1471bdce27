-- A checkout that fails to start: it leaves a message on its screen, waits for a key, and returns as if nothing had happened.
launch = { promptMsg = "^1In 'OnInit': Data/Global.lua is missing" }
print(launch.promptMsg)
io.read("*l")
