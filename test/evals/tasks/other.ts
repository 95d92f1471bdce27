/** Tasks for the tools of other systems, which a kernel relays beside its own. Each answers with a reference that only a call of it gives. */
import { referenceOf } from "../other-server.ts";
import { type EvalTask, single } from "../task.ts";

/** What is asked, the tool for it, and a tool that would be wrong. */
const rows: readonly (readonly [ask: string, tool: string, wrong: string])[] = [
  ["File a bug about the crash in our repository on GitHub", "github_create_issue", "github_update_issue"],
  ["Propose my branch for review on GitHub", "github_create_pull_request", "gitlab_create_merge_request"],
  ["Remove the old line of commits from the repository on GitHub", "github_delete_branch", "github_delete_issue"],
  ["Move the item of work on the Jira board to done", "jira_update_ticket", "zendesk_update_ticket"],
  ["Write to the team's channel in Slack that lunch is ready", "slack_create_message", "twilio_create_sms"],
  ["Have Slack remind me tomorrow of the review", "slack_create_reminder", "calendar_create_event"],
  ["Prepare a mail in Gmail that I send later myself", "gmail_create_draft", "gmail_create_email"],
  ["Cancel the appointment in my calendar", "calendar_delete_event", "hotels_delete_reservation"],
  ["Who may open the shared file in Drive?", "drive_list_permission", "drive_delete_permission"],
  ["Add a line to the spreadsheet", "sheets_create_row", "sheets_update_row"],
  ["Charge the customer's credit card 20 dollars", "stripe_create_charge", "stripe_create_refund"],
  ["Give the buyer the money back", "stripe_create_refund", "stripe_create_charge"],
  ["Make a coupon code for the shop", "shopify_create_discount", "shopify_create_order"],
  ["Which requests for support did customers send?", "zendesk_list_ticket", "zendesk_delete_ticket"],
  ["Send a text message to this phone number: 555-0100", "twilio_create_sms", "slack_create_message"],
  ["Which virtual machines run at Amazon?", "aws_ec2_list_instance", "aws_ec2_delete_instance"],
  ["Back up the relational database at Amazon", "aws_rds_create_snapshot", "aws_rds_delete_snapshot"],
  [
    "Scale the deployment in the cluster to five replicas",
    "kubernetes_update_deployment",
    "kubernetes_delete_deployment",
  ],
  ["Make look-ups in the PostgreSQL table faster", "postgres_create_index", "postgres_update_table"],
  ["Who is on call this weekend?", "pagerduty_get_schedule", "pagerduty_delete_schedule"],
  ["Will it rain tomorrow in Oslo?", "weather_get_forecast", "weather_create_forecast"],
  ["Book a seat on a plane to Lisbon", "flights_create_booking", "hotels_create_reservation"],
];

export const otherTasks: readonly EvalTask[] = rows.map(([ask, tool, wrong]) =>
  single("other", tool, {
    ask: `${ask}. Say the reference that you get.`,
    call: { tool, input: { [tool.includes("_list_") ? "filter" : "id"]: "1" }, seek: ask },
    // A look before the deed is no mistake.
    forbid: [wrong],
    answer: [new RegExp(referenceOf(tool))],
  }),
);
