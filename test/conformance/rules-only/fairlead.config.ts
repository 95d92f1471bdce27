/** The shipped rules service by itself, without those that would have to start beside it. */
export default { only: ["rules"] };
