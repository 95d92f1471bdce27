/**
 * For tests only: what somebody wants, in words that are not the names of tools, and the tool for it. Half of them are about our own services, half about the
 * other systems of `tool-catalogue.ts`.
 */
export const toolQuestions: readonly (readonly [question: string, tool: string])[] = `
who is next in the fight and how wounded is the dragon|encounter_state
the battle is over, the monsters are dead, stop tracking it|end_encounter
my hero is done for this round, next combatant please|end_turn
what is player.health times two in the running program|eval
look around in the running program, which objects are there|explore
which arguments and errors does this procedure of the service have|kernel_describe
how much memory does the kernel use|kernel_process
are all services healthy|kernel_services
which calls fail most often and how slow are they|kernel_stats
which Path of Exile characters do I have saved in the folder|list_builds
change the level of the loaded build to 90|lua_apply
what would happen to the build's life if I swapped the helmet|lua_calc_with
give me a share code of the build with what we changed|lua_export
which of these rings is the best for the build|lua_find_best
which gems and items does the loaded build have|lua_get_parts
how much damage per second does the loaded build do|lua_get_stats
which passive nodes are allocated|lua_get_tree
open this Path of Exile character to compute it|lua_load_build
allocate these passive nodes in the build|lua_set_tree
launch Path of Building|lua_start
close Path of Building|lua_stop
revert the last change of the build|lua_undo
the wizard tries to swallow the moon, that cannot be done|mark_impossible
opening an unlocked door needs no roll|mark_no_check
connect to another MCP server at this address|mcp_add
which upstream connections are there and in which state|mcp_list
try connecting to the blocked upstream again|mcp_reconnect
disconnect that upstream for good|mcp_remove
is the connection to holler up|mcp_status
read this pastebin code of a Path of Exile build and tell me its class and level|parse_build
what should I do next in the improvement session|promptwheel_advance
I am done with the ticket, run its checks|promptwheel_complete_ticket
finish the improvement session with a summary|promptwheel_end_session
I cannot do this ticket, give up on it|promptwheel_fail_ticket
which files may I touch for the current ticket|promptwheel_get_scope_policy
switch the repository to the branch of the ticket|promptwheel_git_setup
report the proposals that scouting found|promptwheel_ingest_event
what kinds of improvement can a session make|promptwheel_list_formulas
give me another ticket to work on|promptwheel_next_ticket
hint to the next scouting that it should look at the tests|promptwheel_nudge
how much budget has the session left|promptwheel_session_status
improve this code repository: scout and make tickets|promptwheel_start_session
are the files I changed inside the scope of the ticket|promptwheel_validate_scope
which monsters below half life are there among the live objects, grouped by kind|query
does Aria have the strength to lift the gate, without any skill|resolve_ability_check
Aria shoots the goblin with her longbow, attack|resolve_attack
the fireball explodes, does the goblin save with dexterity|resolve_saving_throw
Aria sneaks past the guards with her stealth skill|resolve_skill_check
throw two six-sided dice and add three|roll_dice
how likely is it that the attack hits armour class 16|rules_odds
goblins ambush the party, begin a fight with initiative|start_encounter
that turn was a mistake, take it back in the fight|undo_action
file a bug about the crash in our repository|github_create_issue
propose my branch for review on GitHub|github_create_pull_request
publish version 2.0 of the repository with notes|github_create_release
which continuous integration runs of the repository were there|github_list_workflow_run
remove the old line of commits from the repository on GitHub|github_delete_branch
share this snippet of code by a link|github_create_gist
which jobs test my commit in GitLab|gitlab_list_pipeline
move the item of work on the Jira board to done|jira_update_ticket
write to the team's channel in Slack that lunch is ready|slack_create_message
which channels does the Slack workspace have|slack_list_channel
have Slack remind me tomorrow|slack_create_reminder
find mails of my mother in Gmail|gmail_list_email
prepare a mail in Gmail that I send later|gmail_create_draft
put an appointment into the calendar for Friday|calendar_create_event
cancel the appointment in my calendar|calendar_delete_event
which documents and folders are in my Drive|drive_list_file
who may open the shared file|drive_list_permission
add a line to the spreadsheet|sheets_create_row
draw a diagram in the spreadsheet|sheets_create_chart
add a to-do to the Asana project|asana_create_task
charge the customer's credit card 20 dollars|stripe_create_charge
give the buyer the money back|stripe_create_refund
which bills did we send to the customer with Stripe|stripe_list_invoice
what did people buy in the Shopify shop|shopify_list_order
make a coupon code for the shop|shopify_create_discount
which sales are under way in HubSpot|hubspot_list_deal
which requests for support did customers send|zendesk_list_ticket
send a text message to this phone number|twilio_create_sms
send a newsletter to all receivers|sendgrid_create_campaign
which virtual machines run at Amazon|aws_ec2_list_instance
back up the relational database|aws_rds_create_snapshot
change the entry of the domain's zone|cloudflare_update_dns_record
which containers run in the cluster|kubernetes_list_pod
scale the deployment to five replicas|kubernetes_update_deployment
remove the confidential value from the cluster|kubernetes_delete_secret
make look-ups in the PostgreSQL table faster|postgres_create_index
make a page of graphs about our metrics|grafana_create_dashboard
which exceptions did the application report|sentry_list_error
who is on call this weekend|pagerduty_get_schedule
the outage is over, resolve it with PagerDuty|pagerduty_update_incident
delete the film from YouTube|youtube_delete_video
put together songs in an ordered list on Spotify|spotify_create_playlist
how do I get from the station to the museum on foot|maps_get_route
which shops are near this address on the map|maps_list_place
will it rain tomorrow in Oslo|weather_get_forecast
is there a warning of a storm|weather_get_alert
book a seat on a plane|flights_create_booking
cancel the room for next week|hotels_delete_reservation
make a folder on the disk|filesystem_create_directory
which discussions are in the subreddit|reddit_list_thread
`
  .trim()
  .split("\n")
  .map((line) => {
    const [question = "", tool = ""] = line.split("|");
    return [question, tool] as const;
  });
