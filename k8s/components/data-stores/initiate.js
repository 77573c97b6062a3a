// On the first start: makes a replica set of the one member. On every start: makes the users of the services that are missing,
// and gives the others their password and role. Says in the end whether the member is primary.
const { readFileSync } = require("node:fs");
const secretIn = (variable) => readFileSync(process.env[variable], "utf8").trim();
const users = ["identity", "training", "content", "deployments", "data"].map((name) => ({
  name,
  pwd: secretIn(`${name.toUpperCase()}_PASSWORD_FILE`),
  roles: [{ role: "readWrite", db: name }],
}));
users.push({ name: "admin", pwd: secretIn("ADMIN_PASSWORD_FILE"), roles: [{ role: "root", db: "admin" }] });

// As members sign in to each other: it needs no user, so it works on data that never had one.
const pwd = secretIn("REPLICA_SET_KEY_FILE");
db.getSiblingDB("local").auth({ user: "__system", pwd, mechanism: "SCRAM-SHA-256" });
const member = { _id: 0, host: "mongodb-0.mongodb.aiplatform:27017" };
try {
  rs.conf();
} catch (error) {
  if (error.codeName !== "NotYetInitialized") throw error;
  rs.initiate({ _id: "rs0", members: [member] });
}
if (!db.hello().isWritablePrimary) quit(1);
const admin = db.getSiblingDB("admin");
for (const { name, ...login } of users) {
  if (admin.getUser(name)) admin.updateUser(name, login);
  else admin.createUser({ user: name, ...login });
}
