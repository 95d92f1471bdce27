/** What asks for a skill, in the patterns of `phrase-row.ts`. The first of equally long ones counts. */
import { type PhraseRow, skill } from "./phrase-row.ts";

const lore = "know/recall/remember/recognize/recognise/identify/heard/learn/understand/tell";

export const skillPhrases: readonly PhraseRow[] = [
  skill(
    "Stealth",
    "strong",
    `
    sneak; hide; hide myself; creep; tiptoe; skulk; lurk; stalk; slink;
    stay/keep/remain/be/move/walk/go/get quiet/quietly/silent/silently/unseen/hidden/unnoticed/undetected/stealthy/stealthily;
    quietly/silently/stealthily/unnoticed/unseen/undetected; slip past/by; slip * unnoticed/unseen/shadow/past;
    without being seen/heard/noticed/spotted/detected; without making a/any/noise/sound; without a sound; out of sight; blend into/in/with;
    melt into; stick/keep/stay to/in the shadow; conceal myself; take cover where * see; get/slip/move past * without; try/hope not to be noticed/seen/heard; be noticed/heard; hope * saw/seen/see/hear/notice; place/spot/somewhere to hide; shadow the/him/her/them;
    tail the/him/her/them; make no/little noise/sound; move * silently/quietly
  `,
  ),
  skill(
    "Sleight of Hand",
    "strong",
    `
    pickpocket; pick * pocket; pick * purse; lift * purse/pouch/key/keys/coin/wallet/ring; steal/swipe/snatch/nick/filch/pinch/palm/pilfer;
    cut * purse; slip * into/from * pocket/pouch/cup/drink/bag/belt/sleeve; plant * on/in * pocket/bag/pouch;
    conceal/hide * up/in/under my sleeve/cloak/boot/coat/robe; hide the/a/my * on my person; sleight of hand; switch/swap * unnoticed/quickly;
    cheat at/in * card/dice/cards; card trick; sneak * into * drink/cup/pocket; drop/put/pour * poison in/into * drink/cup/wine/ale;
    untie * behind my back
  `,
  ),
  skill(
    "Investigation",
    "strong",
    `
    investigate; search; search * for; examine; inspect; study the * for;
    look/check/search/examine/inspect * for trap/clue/secret/mechanism/compartment/switch/evidence;
    look/check/search for trap/clue/secret/mechanism/compartment/switch/evidence; check * trapped; figure out how; figure out what/who/why;
    work out how; deduce; piece together;
    go/look through * desk/drawer/book/paper/papers/note/notes/letter/record/ledger/corpse/body/pocket/belonging/shelf/chest/pack/room; rummage;
    ransack; see through the illusion; decipher/decode; check * desk/drawer/body/corpse/bookshelf/room/chest;
    scour/comb * room/library/study/office/area/house; determine how/what/who
  `,
  ),
  skill(
    "Perception",
    "strong",
    `
    look around; look about; look out for; look for; look/see if/whether; do i see/hear/notice/spot/smell/sense;
    can i see/hear/notice/spot/smell/sense/make; what do/can i see/hear/smell/notice; listen; eavesdrop; overhear; spot; notice; scan; survey;
    peer; keep watch; keep/have an/a eye/lookout; keep my eye/ear; stand guard/watch; take * watch; watch for; watch the * for; perceive;
    make out; sniff; smell; squint; glance around; gaze around; put/press my ear; try to see/hear; see anything/anyone/something/someone;
    hear anything/anyone/something/someone; check for ambush/danger/enemy/enemies/guard/movement;
    is/are anyone/someone/there * watching/following; watch the road/door/treeline/entrance/street/crowd/horizon
  `,
  ),
  skill(
    "Athletics",
    "strong",
    `
    climb; scale * wall/cliff/tower/tree/fence/building/side; clamber; swim; pull/haul/hoist myself; hang on to; cling;
    hold on to * ledge/rope/side/mast; long jump; high jump; tread water; shimmy up/down; paddle/row against; outrun/outpace; shove; grapple; wrestle; tackle; headlock; break/wrestle free;
    vault; grab/catch * ledge/branch/edge/railing
  `,
  ),
  skill(
    "Athletics",
    "weak",
    `
    jump/leap/hop/spring across/over/to/onto/up/from/the/between; jump/leap; sprint across; run/chase after; chase
  `,
  ),
  skill(
    "Acrobatics",
    "strong",
    `
    balance; tightrope; walk/run/go/edge/cross * beam/rope/ledge/rail/branch/plank/rafter/ice/wire;
    walk/run/go/edge/inch along * ledge/beam/rafter/rail; tumble; somersault; cartwheel; backflip; flip over/off/past/through/onto; handspring;
    land on my foot; land safely/gracefully; swing from/on/across; swing * chandelier;
    slide down/under/between/through * banister/leg/rail/railing/table; roll under/past/through/between the/his/her/its/him/them;
    dance/weave through/past/between * leg/crowd/blade/enemies/guard; squeeze through/past; wriggle out/free/through;
    slip out of * rope/bond/chain/shackle/grasp/grip/manacle; twist out of; keep/hold my balance/footing; stay on my foot; contort
  `,
  ),
  skill(
    "Animal Handling",
    "strong",
    `
    calm/soothe/pacify/quiet/settle/reassure * horse/dog/wolf/beast/animal/mount/bear/mule/cat/griffon/pony/hound/bull/ox/camel/steed; tame;
    train; break in * horse/colt; control * horse/mount/mule/animal/beast/steed;
    ride/steer/spur * horse/mount/pony/mule/wolf/bear/camel/griffon/steed/bareback;
    befriend/approach/pet/coax * horse/dog/wolf/beast/animal/bear/cat/hound/pony/mule;
    get/make * horse/dog/wolf/mule/hound/mount * trust/follow/obey/heel/jump/calm; keep * horse/mount/mule from; stop * horse/dog from;
    animal handling; feed * dog/wolf/hound/bear/beast to
  `,
  ),
  skill(
    "Deception",
    "strong",
    `
    lie to/about/and; lie; bluff; deceive; trick; pretend; fool; mislead; con the/him/her/them; disguise; pass * off as; pass for; impersonate;
    feign; fake a/an/my; make up * story/excuse/name/lie; tell * lie/false/fake; act like/as if/as though; pose as; claim to be; claim that/i/we;
    convince * that i am/was/belong; convince * we are/were; play dead; spin * tale/yarn/lie/story; create a distraction; distract; fast talk;
    fast-talk
  `,
  ),
  skill(
    "Intimidation",
    "strong",
    `
    intimidate; threaten; scare the/him/her/them/it/off/away; menace; frighten; coerce; terrify; bully; cow the/him/her/them; demand; demand that; growl at; snarl at;
    glare at; roar at; loom over; interrogate; force * to talk/tell/answer/confess; make * talk/confess/tell; order * to surrender; stare * down;
    hold * knife/dagger/blade/sword/rapier to * throat/neck
  `,
  ),
  skill(
    "Persuasion",
    "strong",
    `
    persuade; convince; negotiate; haggle; bargain; barter; plead; beg; appeal to; talk * into/down/out;
    ask for * discount/better/lower/mercy/favor/favour; ask * to help/let/join/lower/give/spare/trust/reconsider/lend; flatter; sweet-talk;
    sweet talk; charm the/him/her/them/my; seduce; flirt; woo; reason with; urge; coax; calm * down; calm the/him/her/them; win * over; rally;
    mediate; broker; try to get * to; reassure; bribe; make peace; make/strike a deal; get * discount/price; request * audience
  `,
  ),
  skill(
    "Performance",
    "strong",
    `
    perform; sing; dance; play my/the/a/some lute/harp/flute/lyre/drum/fiddle/violin/song/tune/music/instrument/pipe/ballad/jig;
    play * lute/harp/flute/lyre/drum/fiddle/violin/song/tune/music/instrument/ballad/jig; recite; juggle; tell * joke/tale/story/legend/ballad;
    entertain; put on * show/play/act; act out; give * performance/speech/recital; strum
  `,
  ),
  skill(
    "Insight",
    "strong",
    `
    is/are * lie/lying; is/are * truthful/honest/sincere/hiding/bluffing/trustworthy/nervous/serious; is/are * tell/telling the truth;
    if/whether * lie/lying/truthful/honest/truth/sincere/hiding/bluffing/trustworthy/nervous/trusted;
    tell/see/know/determine/gauge/judge/sense if/whether he/she/they;
    read his/her/their/the * face/intention/expression/mood/body/emotion/motive/guard/merchant; read him/her/them; sense motive;
    sense * motive/intention/mood/emotion/lie;
    gauge/judge/assess/discern * reaction/sincerity/intention/motive/mood/honesty/truth/feeling/character; size * up; trust him/her/them/what;
    believe him/her/them/it; trust it; what * mood/mean; what * really want/after/mean/think/feel; get a feel/read; empathize;
    understand his/her/their motive/intention/feeling; figure out if/whether; figure out what * want; does he/she/it/the * mean/seem/look;
    lying to me/us; telling the truth
  `,
  ),
  skill(
    "Arcana",
    "strong",
    `
    ;
    ${lore} * magic/rune/spell/arcane/sigil/glyph/enchantment/portal/ritual/plane/elemental/wand/scroll/artifact/potion/golem/construct;
    study/decipher/read/examine/inspect/analyze/analyse * rune/sigil/glyph/arcane/magic/enchantment/spell/spellbook/portal/scroll/ritual/wand;
    what * rune/sigil/glyph/spell/enchantment * mean/do/is; what kind of magic/spell/enchantment; arcane; is * magical/enchanted; is * magic;
    school of magic; attune; recognize/recognise the spell
  `,
  ),
  skill(
    "History",
    "strong",
    `
    ;
    ${lore} * history/war/kingdom/king/queen/empire/battle/dynasty/legend/ruin/crest/heraldry/noble/family/ancient/castle/treaty/coat/civilization/emblem/banner/founder;
    history of; who built/founded/ruled; when was * built/founded; heard of * before/place/name; recall the legend/story/tale;
    which house/kingdom/clan; historical
  `,
  ),
  skill(
    "Nature",
    "strong",
    `
    ;
    ${lore} * plant/herb/flower/mushroom/berry/berries/beast/animal/creature/tree/weather/terrain/insect/bird/fungus/moss/fruit;
    is * edible/poisonous; are * edible/poisonous; identify * plant/herb/mushroom/berry/flower/leaf/animal/beast;
    what kind of plant/animal/beast/tree/mushroom/herb/flower/creature; predict the weather; natural cave/spring/formation;
    read the weather/sky/cloud
  `,
  ),
  skill(
    "Religion",
    "strong",
    `
    ;
    ${lore} * god/goddess/deity/holy/temple/cult/prayer/rite/religious/saint/priest/undead/demon/devil/angel/church/shrine/altar/symbol/religion/faith/funeral/scripture;
    which/what god/deity/goddess/cult/religion/faith; holy symbol; religious; theology; burial rite
  `,
  ),
  skill(
    "Survival",
    "strong",
    `
    track; follow * track/trail/footprint/footprints/spoor/scent/print/hoofprint; follow the track/trail/footprint;
    look/search/check/scan for track/footprint/print/food/water/shelter/game/trail/spoor; look/search * for track/footprint/food/water/shelter;
    forage; hunt; navigate; find * way/path/north/shelter/food/water/bearings/trail/campsite/route; find water/food/shelter/north;
    gather food/water/berries/herb; read the track; set/build/make * snare/shelter/camp/trap for; set a snare; orient myself; get my bearing;
    survive; start/build/make * fire * rain/wet/wind/storm/snow; guide * through * forest/swamp/desert/wild/wilderness/mountain/woods/jungle;
    guide us; lead * through * forest/swamp/desert/wild/wilderness/mountain/woods/jungle; avoid getting lost; live off the land; skin
  `,
  ),
  skill(
    "Medicine",
    "strong",
    `
    stabilize/stabilise; first aid; bandage; treat * wound/injury/patient/burn/poison/bleeding/disease;
    tend to/his/her/their/the * wound/injury/wounded/burn; tend to; stop/staunch * bleeding; diagnose; check * pulse/breathing/vital/alive;
    examine * wound/injury/patient; cause of death; how * died/die; what killed; set * bone/broken; splint; suture/stitch; perform/do surgery;
    administer; resuscitate; autopsy
  `,
  ),
];
