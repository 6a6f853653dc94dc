package valkey

// The names of all keys, as scripts build them: the prefix, then what is named here. <id> is a record's id, <kind> is fetch for
// jobs whose audio is to be fetched and work for the others, <state> that of a delivery. Times are milliseconds since 1970.
//
//	clock                          the time of the last Ping                               for ever
//
//	record:<id>                    hash: the record                                        until it is deleted
//
//	job:<id>                       hash: the job's account, kind, attempts and lease       until the record is finished
//	queue:<kind>:free:<account>    jobs that may be taken, by the record's age             while there are any
//	queue:<kind>:leases            jobs under a lease, by its end                          while there are any
//	queue:<kind>:running           hash: account to number of its jobs under a lease       while there are any
//	queue:<kind>:turns             accounts with free jobs, by whose turn it is            while there are any
//	queue:<kind>:served            accounts by when they were served last                  the last 16384
//	queue:<kind>:places            hash: how many accounts arrived, and were served        for ever
//
//	outbox:<id>                    hash: the last event's number, the claim                until the record is deleted
//	outbox:<id>:events             events that stand for no logged one and are known       until the record is deleted
//	outbox:<id>:pending            pending deliveries of the record, by their age          while there are any
//	outbox:<id>:all                all deliveries of the record, by their age              while there are any
//	outbox:due                     records by when their outbox may be claimed             while there are any
//	delivery:<delivery>            a delivery but for its body, as MessagePack             until pruned, or with its record
//	delivery:<delivery>:body       its body                                                until it is sent
//	deliveries                     number of deliveries enqueued so far                    for ever
//	deliveries:<state>             deliveries in a state, by their age                     while there are any
//	deliveries:<state>:<account>   those of an account                                     while there are any
//	deliveries:arrived             deliveries by when they were sent                       until pruned
//
// Channels, see wakes:
//
//	wake:queue                     a job may have become one that can be taken
//	wake:outbox                    a delivery may have become due
