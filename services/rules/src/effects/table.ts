/**
 * Effects of both SRDs that change a roll, in the language of `parse.ts`. Facts under CC-BY-4.0, see NOTICE; no descriptions. The order is that of the answer's causes.
 *
 * Not here: what needs more than the roll (claims of damage, masteries, what a target's conditions do): that is in the code of those rules.
 */
import { parseEffects } from "./parse.ts";
import type { EffectRule } from "./rule.ts";

/** What brings it | when it counts | what it changes | its rule | why. */
const text = `
feature Aura of Protection | save 5.1 unless unconscious, save 5.2 unless unconscious or incapacitated | +charisma at least 1 as Aura | aura-of-protection | the character's own aura
effect Aura of Protection | save | +bonus at least 1 as Aura | aura-of-protection | a paladin's aura
effect Bless | attack, save | +1d4 | bless
effect Bane | attack, save | -1d4 | bane
condition Bane | attack, save | -1d4 | bane
effect Guidance | check 5.1 | +1d4 once | guidance
effect Guidance | skilled check 5.2 | +1d4 | guidance
effect Resistance | save 5.1 | +1d4 once | resistance-cantrip
effect Bardic Inspiration | attack 5.1 if inspired, check 5.1 if inspired, save 5.1 if inspired | +1dX once | bardic-inspiration
effect Bardic Inspiration | attack 5.2 if inspired, check 5.2 if inspired, save 5.2 if inspired | +1dX on failure once | bardic-inspiration
style Archery | shooting attack | +2 | archery | a ranged weapon
always Exhaustion | attack 5.2 if exhaustion 1, check 5.2 if exhaustion 1, save 5.2 if exhaustion 1 | -2 per exhaustion | exhaustion | exhaustion level {exhaustion}

effect Rage | strength check if raging | advantage | rage | raging: advantage on strength checks
effect Rage | strength save if raging | advantage | rage | raging: advantage on strength saves
feature Remarkable Athlete | athletics check 5.2 | advantage | remarkable-athlete | advantage on Athletics
effect Dodge | dexterity save 5.1 unless incapacitated or grappled or restrained or exhaustion 5 | advantage | dodge | dodging
effect Dodge | dexterity save 5.2 unless incapacitated or grappled or restrained | advantage | dodge | dodging
feature Danger Sense | dexterity save 5.1 unless incapacitated or blinded or deafened | advantage | danger-sense | Danger Sense
feature Danger Sense | dexterity save 5.2 unless incapacitated | advantage | danger-sense | Danger Sense
feature Gnome Cunning | mental save 5.1 against magic | advantage | magic-resistance | Gnome Cunning against magic
feature Gnomish Cunning | mental save 5.2 | advantage | magic-resistance | Gnomish Cunning
effect Reckless Attack | strength melee weapon attack 5.1, strength melee unarmed attack 5.1, strength weapon attack 5.2, strength unarmed attack 5.2 | advantage | reckless-attack | attacking recklessly

always Exhaustion | check 5.1 if exhaustion 1 | disadvantage | exhaustion | exhaustion level {exhaustion}
always Exhaustion | attack 5.1 if exhaustion 3, save 5.1 if exhaustion 3 | disadvantage | exhaustion | exhaustion level {exhaustion}
effect Sap | attack 5.2 | disadvantage | sap | {name} was sapped

feature Feral Instinct | initiative | advantage | feral-instinct | Feral Instinct: advantage on initiative
feature Remarkable Athlete | initiative 5.2 | advantage | remarkable-athlete | advantage on initiative
condition Invisible | initiative 5.2 | advantage | condition | {name} is invisible
feature Alert | initiative 5.2 | +proficiency | alert | Alert adds the proficiency bonus to initiative

feature Reliable Talent | proficient check | low rolls count as 10 | reliable-talent | 9 or lower counts as 10 on a proficient check
feature Superior Critical | weapon attack, unarmed attack | crit 18 | superior-critical | a natural 18 to 20
feature Improved Critical | weapon attack, unarmed attack | crit 19 | improved-critical | a natural 19 or 20
`;

/** Spells, features, traits and magic items that were not in the code before the language was. */
const added = `
effect Bear's Endurance | constitution check 5.1 | advantage | spell-at-work
effect Bull's Strength | strength check | advantage | spell-at-work
effect Cat's Grace | dexterity check | advantage | spell-at-work
effect Eagle's Splendor | charisma check | advantage | spell-at-work
effect Fox's Cunning | intelligence check | advantage | spell-at-work
effect Owl's Wisdom | wisdom check | advantage | spell-at-work
effect Barkskin | armor 5.1 | at least 16 | spell-at-work
effect Barkskin | armor 5.2 | at least 17 | spell-at-work
effect Blur | attacked | disadvantage | spell-at-work | {name} is blurred
effect Beacon of Hope | wisdom save | advantage | spell-at-work
effect Enlarge | strength check, strength save | advantage | spell-at-work
effect Enlarge | weapon hit, unarmed hit 5.2 | +1d4 | spell-at-work
effect Reduce | strength check, strength save | disadvantage | spell-at-work
effect Foresight | attack, check, save | advantage | spell-at-work
effect Foresight | attacked | disadvantage | spell-at-work | {name} has Foresight
effect Gaseous Form | physical save | advantage | spell-at-work
effect Haste | dexterity save | advantage | spell-at-work
effect Haste | armor | +2 | spell-at-work
effect Heroes' Feast | wisdom save 5.1 | advantage | spell-at-work
effect Holy Aura | save | advantage | spell-at-work
effect Holy Aura | attacked | disadvantage | spell-at-work | {name} has a Holy Aura
effect Irresistible Dance | attack 5.1, dexterity save 5.1 | disadvantage | spell-at-work
effect Irresistible Dance | attacked 5.1 | advantage | spell-at-work | {name} dances
effect Magic Weapon | weapon attack, weapon hit | +bonus at least 1 | spell-at-work
effect Pass without Trace | stealth check | +10 | spell-at-work
effect Protection from Poison | save against poison | advantage | spell-at-work
effect Ray of Enfeeblement | strength attack 5.2, strength check 5.2, strength save 5.2 | disadvantage | spell-at-work
effect Shield of Faith | armor | +2 | spell-at-work
effect Slow | dexterity save, armor | -2 | spell-at-work
effect True Strike | attack 5.1 targeted | advantage once | spell-at-work
effect Warding Bond | save, armor | +1 | spell-at-work

effect Innate Sorcery | spell attack 5.2 | advantage | class-feature
effect Sacred Weapon | weapon attack | +charisma at least 1 | class-feature
effect Steady Aim | attack 5.2 | advantage once | class-feature
feature Diamond Soul | untrained save 5.1 | +proficiency as Prof | class-feature
feature Disciplined Survivor | untrained save 5.2 | +proficiency as Prof | class-feature
feature Slippery Mind | untrained wisdom save, untrained charisma save 5.2 | +proficiency as Prof | class-feature

feature Brave | save against fear | advantage | species-trait
feature Dwarven Resilience | save against poison | advantage | species-trait
feature Fey Ancestry | save against charm | advantage | species-trait
effect Large Form | strength check 5.2 | advantage | species-trait

item Belt of Dwarvenkind | save against poison | advantage | magic-item
item Boots of Elvenkind | stealth check 5.2 | advantage | magic-item
item Cloak of Elvenkind | stealth check 5.2 | advantage | magic-item
item Cloak of Protection | save | +1 | magic-item
item Cloak of the Bat | stealth check | advantage | magic-item
item Gloves of Thievery | sleight of hand check | +5 | magic-item
item Mantle of Spell Resistance | save against magic | advantage | magic-item
item Ring of Protection | save | +1 | magic-item
item Robe of Stars | save | +1 | magic-item
item Robe of the Archmagi | save against magic | advantage | magic-item
item Rod of Alertness | initiative, perception check | advantage | magic-item
item Scarab of Protection | save against magic | advantage | magic-item
item Sentinel Shield | initiative, perception check | advantage | magic-item
item Staff of Power | save, spell attack | +2 | magic-item
item Staff of the Magi | spell attack | +2 | magic-item
item Staff of the Magi | save against magic | advantage | magic-item
item Stone of Good Luck | check, save | +1 | magic-item
item Wand of the War Mage +1 | spell attack | +1 | magic-item
item Wand of the War Mage +2 | spell attack | +2 | magic-item
item Wand of the War Mage +3 | spell attack | +3 | magic-item
item Weapon of Warning | initiative | advantage | magic-item

effect Rage | bludgeoning damage if raging, piercing damage if raging, slashing damage if raging | resistance | rage | {name} is raging
condition Petrified | damage | resistance | condition | {name} is petrified
effect Fire Shield (warm) | cold damage | resistance | spell-at-work | {name} has a Fire Shield
effect Fire Shield (chill) | fire damage | resistance | spell-at-work | {name} has a Fire Shield
effect Protection from Energy | chosen damage | resistance | spell-at-work | {name} has Protection from Energy
effect Protection from Poison | poison damage | resistance | spell-at-work | {name} has Protection from Poison
effect Warding Bond | damage | resistance | spell-at-work | {name} has Warding Bond
effect Stoneskin | bludgeoning damage 5.2, piercing damage 5.2, slashing damage 5.2 | resistance | spell-at-work | {name} has Stoneskin
effect Stoneskin | bludgeoning damage 5.1 nonmagical, piercing damage 5.1 nonmagical, slashing damage 5.1 nonmagical | resistance | spell-at-work | {name} has Stoneskin
effect Gaseous Form | bludgeoning damage 5.2, piercing damage 5.2, slashing damage 5.2 | resistance | spell-at-work | {name} is a cloud
effect Gaseous Form | bludgeoning damage 5.1 nonmagical, piercing damage 5.1 nonmagical, slashing damage 5.1 nonmagical | resistance | spell-at-work | {name} is a cloud
effect Heroes' Feast | poison damage 5.1 | immunity | spell-at-work | {name} has eaten at a Heroes' Feast
effect Heroes' Feast | poison damage 5.2 | resistance | spell-at-work | {name} has eaten at a Heroes' Feast
effect Mind Blank | psychic damage | immunity | spell-at-work | {name} has Mind Blank

feature Damage Resistance | chosen damage | resistance | species-trait | the ancestry of {name}
feature Draconic Ancestry | chosen damage | resistance | species-trait | the ancestry of {name}
feature Dwarven Resilience | poison damage | resistance | species-trait | Dwarven Resilience
feature Hellish Resistance | fire damage | resistance | species-trait | Hellish Resistance
feature Elemental Affinity | chosen damage 5.2 | resistance | class-feature | Elemental Affinity
feature Fiendish Resilience | chosen damage | resistance | class-feature | Fiendish Resilience
feature Nature's Ward | chosen damage 5.2 | resistance | class-feature | Nature's Ward
feature Purity of Body | poison damage 5.1 | immunity | class-feature | Purity of Body
effect Empty Body | acid bludgeoning cold fire lightning necrotic piercing poison psychic radiant slashing thunder damage 5.1 | resistance | class-feature | {name} is one with the air
effect Superior Defense | acid bludgeoning cold fire lightning necrotic piercing poison psychic radiant slashing thunder damage 5.2 | resistance | class-feature | Superior Defense

item Armor of Invulnerability | bludgeoning damage 5.2, piercing damage 5.2, slashing damage 5.2, bludgeoning damage 5.1 nonmagical, piercing damage 5.1 nonmagical, slashing damage 5.1 nonmagical | resistance | magic-item
item Armor of Resistance | chosen damage | resistance | magic-item
item Belt of Dwarvenkind | poison damage | resistance | magic-item
item Boots of the Winterlands | cold damage | resistance | magic-item
item Brooch of Shielding | force damage | resistance | magic-item
item Cloak of Arachnida | poison damage | resistance | magic-item
item Dragon Scale Mail | chosen damage | resistance | magic-item
item Efreeti Chain | fire damage | immunity | magic-item
item Frost Brand | fire damage | resistance | magic-item
item Helm of Brilliance | fire damage | resistance | magic-item
item Periapt of Proof against Poison | poison damage | immunity | magic-item
item Potion of Invulnerability | damage | resistance | magic-item
item Potion of Resistance | chosen damage | resistance | magic-item
item Ring of Resistance | chosen damage | resistance | magic-item
item Ring of Warmth | cold damage | resistance | magic-item
item Staff of Fire | fire damage | resistance | magic-item
item Staff of Frost | cold damage | resistance | magic-item
`;

const parsed = parseEffects(text + added);
if (!parsed.ok) throw new Error(`line ${parsed.problem.line} of the table of effects: ${parsed.problem.message}`);

/** All rules of the SRDs that are said in the language. */
export const srdEffects: readonly EffectRule[] = parsed.rules;
