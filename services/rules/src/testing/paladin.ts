/** A paladin of level 5 with slots, for the tables of smites. For tests only. */

export const paladin = {
  characterClass: "Paladin",
  level: 5,
  stats: { strength: 16, charisma: 16 },
  inventory: ["Longsword", "Shortbow", "Dagger"],
  weaponProficiencies: ["Simple Weapons", "Martial Weapons"],
  features: [{ name: "Divine Smite" }],
  spellSlots: { "1": 4, "2": 2 },
};

export const smite = (claim = "Divine Smite") => ({ weapon: "Longsword", extra_damage_sources: [claim] });
