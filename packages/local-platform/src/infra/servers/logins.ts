/** A user of MongoDB, in its database `admin`. */
export interface MongodbUser {
  name: string;
  password: string;
  roles: readonly { role: string; db: string }[];
}

/** Who may sign in at a mongod that is started here. */
export interface MongodbLogins {
  /** Key of the replica set, with which its members sign in to each other, and the launcher to make the users. */
  keyFile: string;
  users: readonly MongodbUser[];
}

/** Who may sign in at the servers that are started here. Without it, anyone on this machine may. */
export interface InfraLogins {
  mongodb: MongodbLogins;
  /** The users of NATS, as text of its configuration. */
  nats: string;
}
