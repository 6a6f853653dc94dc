package valkey

// The names of all keys, as scripts build them: the prefix, then what is named here. <id> is a record's id.
//
//	clock            the time of the last Ping, in milliseconds                          for ever
