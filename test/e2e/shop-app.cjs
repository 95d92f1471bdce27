/**
 * A program that knows nothing of this repository: an HTTP server with 20,000 orders whose classes are made as object mappers make theirs, and a leak. Each
 * request leaves its session in a cache.
 */
const { createServer } = require("node:http");

class Model {
  #changed = new Set();
  constructor(row) {
    this.dataValues = row;
  }
  changed() {
    return [...this.#changed];
  }
}

/** Columns become accessors of the class, as mappers define them. */
const define = ({ prototype }, columns) => {
  for (const name of columns)
    Object.defineProperty(prototype, name, {
      get() {
        return this.dataValues[name];
      },
      set(value) {
        this.dataValues[name] = value;
      },
    });
};

class Customer extends Model {}
define(Customer, ["id", "name", "password"]);

class Order extends Model {
  get total() {
    return this.dataValues.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  }
  get customer() {
    return database.customers[this.dataValues.customerId];
  }
}
define(Order, ["id", "customerId", "status"]);

class Session {
  constructor(number) {
    this.number = number;
    this.buffer = "x".repeat(1_000) + number;
  }
}

const states = ["open", "paid", "sent"];
const database = {
  customers: Array.from({ length: 100 }, (_, id) => new Customer({ id, name: `customer ${id}`, password: "hunter2" })),
  orders: Array.from(
    { length: 20_000 },
    (_, id) =>
      new Order({ id, customerId: id % 100, status: states[id % 3], lines: [{ price: id % 50, quantity: 2 }] }),
  ),
};
const sessions = new Map();

module.exports = { database, sessions };

const server = createServer((request, response) => {
  const number = sessions.size;
  sessions.set(`${request.url}#${number}`, { session: new Session(number) });
  response.end(JSON.stringify({ orders: database.orders.length }));
});
server.listen(0, "127.0.0.1", () => console.log(`ready on ${server.address().port}`));
