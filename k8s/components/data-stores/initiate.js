// Makes a replica set of the one member, on the first start; on every other it only says whether that is primary.
const member = { _id: 0, host: "mongodb-0.mongodb.aiplatform:27017" };
try {
  rs.conf();
} catch (error) {
  if (error.codeName !== "NotYetInitialized") throw error;
  rs.initiate({ _id: "rs0", members: [member] });
}
if (!db.hello().isWritablePrimary) quit(1);
