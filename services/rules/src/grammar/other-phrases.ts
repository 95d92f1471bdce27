/** What asks for a bare ability, a saving throw, what cannot be done, and what needs no roll, in the patterns of `phrase-row.ts`. */
import { ability, impossible, none, type PhraseRow, save } from "./phrase-row.ts";

const danger =
  "fireball/explosion/blast/boulder/rock/arrow/dart/trap/breath/flame/fire/lightning/debris/beam/log/stone/acid/swing/blow";
const body = "poison/venom/toxin/disease/sickness/illness/cold/heat/gas/drink/ale/nausea/exhaustion/spore/smoke/fume";
const mind =
  "charm/spell/fear/terror/command/voice/compulsion/domination/enchantment/hypnosis/gaze/whisper/control/song/madness/suggestion/magic/dread/sleep/urge";

export const otherPhrases: readonly PhraseRow[] = [
  ability(
    "strength",
    `
    break/smash/kick/bash/knock/force/batter/ram/shoulder/charge/hack/chop * down/in/open * door/gate/chest/door/lid/window/crate;
    break/smash/kick/bash/knock/force/batter/ram/shoulder/hack/chop/slam * door/gate/chest/window/crate/barrel/wall/portcullis/lid/barricade;
    break/kick/bash/knock/batter down * door/gate/barricade; pry/prise/lever; force open; bend * bar/iron;
    break/snap/burst * chain/rope/shackle/bond/manacle/cuff/lock;
    lift/push/move/drag/shove/shift/heave/raise/roll/budge/topple * boulder/portcullis/statue/rock/slab/gate/crate/stone/cart/pillar/log/wagon/sarcophagus/beam/cabinet/bookcase/wardrobe/altar/anvil/rubble/tree/trapdoor/lid;
    arm wrestle; arm-wrestle; tug of war; hold * door/gate * shut/closed; hold * shut/closed; tear * down/apart/open; rip * hinge/apart/off;
    overturn/upend/flip the table/cart/wagon
  `,
  ),
  ability(
    "dexterity",
    `
    pick * lock; pick * padlock/door; unlock * with * lockpick/pick/tools/pin/hairpin; lockpick; disarm * trap/tripwire/mechanism;
    disable * trap/tripwire/mechanism; steer/drive * carriage/cart/wagon; tie * knot/up; draw/beat * faster
  `,
  ),
  ability(
    "constitution",
    `
    hold my breath; drinking contest; drink * under the table; outdrink; stay/keep awake; march through/all/without; go without sleep/food/water;
    endure/withstand * pain/heat/cold/torture; keep running/marching/swimming
  `,
  ),
  ability(
    "intelligence",
    `
    solve * riddle/puzzle/equation/problem/cipher; memorize/memorise; work out * riddle/puzzle; forge * letter/document/signature/seal;
    estimate/calculate/appraise; win at chess; play chess; remember the way/route/password/number
  `,
  ),
  save(
    "dexterity",
    `
    ;
    dodge/avoid/evade/duck/sidestep * ${danger};
    dive/jump/leap/roll/throw/get/move/spring * out of the way;
    dive/jump/leap/roll/run/duck/throw/get/scramble away/clear from/of * ${danger};
    dive/jump/leap/roll/duck/drop * behind/under/for/from * cover/${danger};
    dive/duck/leap/roll for cover; duck under/behind the blast; dodge out/aside/away
  `,
  ),
  save(
    "constitution",
    `
    ;
    resist/fight/withstand/shake/endure/overcome/stomach/tough * ${body};
    brace/steel myself against * ${body}/pain;
    hold down my * food/lunch/meal; keep my lunch/meal;
    fight/shake off * ${body};
    maintain/keep/hold * concentration; stay conscious
  `,
  ),
  save(
    "wisdom",
    `
    ;
    resist/fight/shake/withstand/overcome/ignore/break/defy * ${mind};
    fight/shake/throw off * ${mind};
    steel/brace myself/mind against * ${mind};
    steel my mind/will; clear my mind/head; resist being charmed/frightened/controlled; keep control of my mind; snap out of;
    hold on to my sanity
  `,
  ),
  save(
    "strength",
    `
    brace/plant/anchor * against * wind/wave/water/current/shove/charge/push/force/gust/flood; brace myself;
    resist/withstand being pushed/pulled/shoved/dragged/moved/knocked;
    resist/fight/withstand * wind/wave/current/gust/pull/web/vine/tentacle/tide/flood; stand/hold my ground; dig my heel
  `,
  ),
  save(
    "charisma",
    `
    resist/withstand/fight * banishment/possession/banished/possessed; force * out of my body
  `,
  ),
  save(
    "intelligence",
    `
    resist/withstand/fight * psychic/mind-blast/maze
  `,
  ),
  impossible(
    "without wings or magic there is no flying",
    ["fly", "wing", "broom", "levitate", "feather"],
    `
    fly; fly up/over/away/to; levitate; soar; float up/into/over/away; hover; flap my
  `,
  ),
  impossible(
    "there is no magic at hand that teleports",
    ["teleport", "misty", "dimension", "step", "door", "blink"],
    `
    teleport; blink across/behind/away/to; dimension; warp to/behind/home; vanish into thin
  `,
  ),
  impossible(
    "a solid wall is in the way",
    ["passwall", "etherealness", "ethereal", "phase", "door"],
    `
    walk/pass/phase/step/run/move through * wall/stone/rock; phase through
  `,
  ),
  impossible(
    "there is no magic at hand for it",
    ["invisib"],
    `
    turn/become/go/make * invisible; vanish completely
  `,
  ),
  impossible(
    "the character has no such breath",
    ["breath", "dragonborn"],
    `
    breathe fire/frost/acid/lightning; use my * breath
  `,
  ),
  impossible(
    "there is no magic at hand that reads thoughts",
    ["detect thought", "telepath", "mind"],
    `
    read * mind/thought
  `,
  ),
  impossible(
    "the character has no such shape",
    ["wild shape", "polymorph", "shape", "alter self"],
    `
    turn/transform/change/shapeshift/morph into; shapeshift; wild shape
  `,
  ),
  impossible(
    "time cannot be changed",
    ["time stop"],
    `
    stop/rewind/turn/reverse * time; travel * time; go back in time
  `,
  ),
  impossible(
    "no strength does that",
    [],
    `
    lift/throw/move/carry/pick/push * castle/mountain/tower/moon/ship/house/planet/island; jump to/over the moon/mountain/castle;
    punch * castle/mountain/moon; eat the * sword/castle/door; swallow * sun/moon; drink the ocean/sea/lake; outrun lightning; catch the moon;
    jump to the moon
  `,
  ),
  impossible(
    "there is no magic at hand that does it",
    ["raise", "resurrect", "revivify", "animate"],
    `
    bring * back to life/from the dead; bring * back from the dead; resurrect; raise * dead; revive * dead/skeleton/corpse
  `,
  ),
  impossible(
    "there is no magic at hand that summons it",
    ["summon", "conjure", "find familiar", "call"],
    `
    summon; conjure
  `,
  ),
  impossible(
    "the character has nothing of the kind",
    ["gun", "pistol", "musket", "firearm", "laser", "grenade", "bomb"],
    `
    fire/shoot/pull/draw/use/throw/grab * gun/pistol/rifle/laser/grenade/bazooka/lightsaber/machine-gun/musket; call * helicopter/police/tank
  `,
  ),
  impossible(
    "nothing grants wishes here",
    ["wish"],
    `
    wish for; grant myself; become/am/make/turn * god/king of the world/immortal/emperor; become a god; create * gold/money out of
  `,
  ),
  none(
    "talk needs no roll",
    `
    say; say-aloud; tell; ask; greet; talk; speak; answer; reply; thank; introduce; chat; explain; whisper; shout; call out; nod; wave; bow to;
    smile; laugh; apologize; apologise; agree; offer; toast; order a/an/some/the ale/drink/meal/beer/food/wine/room/stew; yell; warn; discuss;
    compliment; wink; shake * hand; shrug; signal; point; promise; hail; inform; describe; mention; suggest; invite; congratulate; remind
  `,
  ),
  none(
    "movement needs no roll",
    `
    walk; go; move; enter; leave; follow; sit; stand; kneel; approach; return; head; step; run; ride; travel; stay; wait;
    cross the/this/that street/room/bridge/hall/road/square; turn; lie down; back away; rest; sleep; camp; long rest; short rest; take a * rest;
    retreat; withdraw; come; stroll; wander; exit; descend; ascend the stair; climb the stair/stairs/ladder; climb into bed;
    climb on/onto my horse; climb down the stair/stairs/ladder; climb up the stair/stairs/ladder; board; dismount; mount; disengage; dash;
    keep going; continue; proceed; rush; hurry; march; get up; get out of bed; jump down from the * step/chair; jog; relax; close the distance;
    lean; pace
  `,
  ),
  none(
    "it succeeds without a roll",
    `
    draw; sheathe; unsheathe; open; close; shut; pick up; put; place; drop; give; hand; pay; buy; sell; take; grab; eat; drink; light;
    extinguish; equip; don; wear; remove; read; write; pack; unpack; fill; pour; knock on/at; ring; pull; push the * button/open/door; press;
    look at; look in/into/inside/up/down; watch; check my; count; loot; collect; retrieve; put on; take off; take out; unlock * with the key;
    unlock * key; use * key; tie my; pet; feed; clean; wash; sharpen; cook; prepare; ready my; load; reload; nock; drop * weapon; set down;
    surrender; pray; meditate; think; consider; remember; decide; plan; toss a/the * coin; turn/flip the * page; warm; undress; dress; fetch;
    gather my; store; carry; hold; study my; use * potion; drink * potion; administer * potion; raise my; lower my; blow out; switch to; swap to;
    stow; put away; knock; donate; dig; fold; share; help; concentrate; dip; tap; touch; cover; hang; throw * on the fire/floor; throw a coin;
    leave * tip/coin
  `,
  ),
];
