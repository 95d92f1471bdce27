/**
 * For tests only: tools of other systems, as a kernel that relays many upstreams has them beside its own: 450 of them, of 90 kinds of things. Their words are those of
 * such systems' documents; what they take is left out but for names.
 *
 * Not here: our own tools, and the questions (`search.test.ts`).
 */
import type { Tool } from "@modelcontextprotocol/server";

/** System, thing, and what it is in a sentence. */
const things: readonly (readonly [system: string, thing: string, words: string])[] = `
github issue|a bug report or task of a repository
github pull_request|a proposed change of a branch, with its review
github release|a published version of a repository with notes and files
github workflow_run|one run of continuous integration
github branch|a line of commits in a repository
github gist|a snippet of code that is shared by a link
gitlab merge_request|a proposed change of a GitLab project
gitlab pipeline|the jobs that build and test a commit in GitLab
jira ticket|an item of work on a Jira board
jira sprint|a period of a team's work in Jira
linear issue|an item of a Linear team's backlog
linear cycle|a fortnight of a Linear team's work
slack message|a text in a Slack channel or thread
slack channel|a place where a Slack workspace talks
slack reminder|a note that Slack sends at a time
discord webhook|an address that posts to a Discord server
gmail email|a mail of a Gmail account
gmail label|a tag that sorts mail in Gmail
gmail draft|a mail that is not sent yet
calendar event|an appointment in Google Calendar
calendar invitation|the reply of a guest to a meeting
drive file|a document, sheet or folder in Google Drive
drive permission|who may open a shared file in Drive
sheets row|a line of a spreadsheet
sheets chart|a diagram in a spreadsheet
docs comment|a remark in the margin of a Google document
notion page|a page of a Notion workspace
notion database|a table of pages in Notion
asana task|a to-do of an Asana project
trello card|a card on a Trello board
stripe charge|a payment taken from a credit card
stripe invoice|a bill that Stripe sends to a customer
stripe subscription|a plan that a customer pays every month
stripe refund|money that is given back to a buyer
shopify order|a purchase in a Shopify shop
shopify product|an article that a Shopify shop sells
shopify discount|a coupon code of a Shopify shop
hubspot contact|a person in the CRM of HubSpot
hubspot deal|a sale under way in HubSpot
salesforce lead|somebody who may become a customer in Salesforce
salesforce opportunity|a possible sale in Salesforce
zendesk ticket|a customer's request for support
zendesk macro|a prepared reply of the support desk
intercom conversation|a chat with a visitor of a website
twilio sms|a text message to a phone number
twilio call|a phone call
sendgrid campaign|a newsletter to many receivers
mailchimp audience|a list of people who get newsletters
aws_s3 bucket|a storage of objects at Amazon
aws_s3 object|one stored blob in a bucket
aws_ec2 instance|a virtual machine at Amazon
aws_lambda function|code that runs in the cloud when it is triggered
aws_rds snapshot|a backup of a relational database
aws_iam role|what a program may do in an Amazon account
cloudflare dns_record|an entry of a domain's zone
cloudflare worker|a script at the edge of Cloudflare
cloudflare cache_rule|how long responses are kept at the edge
kubernetes pod|containers that run together in a cluster
kubernetes deployment|how many replicas of a container run in a cluster
kubernetes secret|a confidential value for containers
docker container|an isolated process made from an image
docker image|a packaged file system for containers
terraform workspace|a state of infrastructure as code
postgres table|a relation of a PostgreSQL database
postgres index|what makes look-ups in a PostgreSQL table fast
redis key|a cached value in Redis
elasticsearch document|a record in a search cluster
grafana dashboard|a page of graphs about metrics
grafana alert|a rule that pages somebody when a metric is bad
sentry error|an exception that an application reported
datadog monitor|a check of metrics or logs with a threshold
pagerduty incident|an outage that somebody on duty answers
pagerduty schedule|who is on call at which hours
figma frame|a screen of a design file
figma component|a reusable part of a design system
youtube video|a film on YouTube
youtube playlist|an ordered list of films
spotify playlist|an ordered list of songs
spotify track|a song and its artist
twitter post|a short public message
reddit thread|a discussion in a subreddit
maps route|the way between two places, by car or on foot
maps place|a shop, sight or address on the map
weather forecast|temperature and rain of the coming days at a place
weather alert|a warning of storm or flood
flights booking|a seat on a plane
hotels reservation|a room for some nights
news article|a report of a newspaper
translate glossary|terms that are always translated in one way
filesystem directory|a folder on this computer's disk
`
  .trim()
  .split("\n")
  .map((line) => {
    const [head = "", words = ""] = line.split("|");
    const [system = "", thing = ""] = head.split(" ");
    return [system, thing, words] as const;
  });

const actions: readonly (readonly [verb: string, words: string, readOnly: boolean, destructive: boolean])[] = [
  ["create", "Creates", false, false],
  ["list", "Lists, filters and pages through", true, false],
  ["get", "Reads by its id", true, false],
  ["update", "Changes", false, false],
  ["delete", "Deletes for good", false, true],
];

const field = { type: "string" } as const;

export const otherTools: readonly Tool[] = things.flatMap(([system, thing, words]) =>
  actions.map(([verb, does, readOnlyHint, destructiveHint]) => ({
    name: `${system}_${verb}_${thing}`,
    description: `${does} ${words}.`,
    inputSchema: {
      type: "object" as const,
      properties: verb === "list" ? { filter: field, cursor: field } : { id: field },
    },
    annotations: { readOnlyHint, destructiveHint },
  })),
);
