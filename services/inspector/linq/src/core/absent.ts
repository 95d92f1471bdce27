/** Answer of look-ups where null is a value. */
export const absent: unique symbol = Symbol("absent");
