export default { id: "bad" };
