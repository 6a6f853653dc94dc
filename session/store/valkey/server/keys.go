package server

// The names of all keys, as scripts build them: the prefix, then what is named here. <id> is a
// record's id, <kind> is fetch for jobs whose audio is to be fetched and work for the others,
// <state> that of a delivery. Accounts come last; those that have secrets have no colon in their
// names. Times are milliseconds since 1970; they are the scores of what is said to be by a time.
//
//	clock                          the time of the last Ping                               for ever
//	written                        the time of a call that had to write something          for ever
//
//	record:<id>                    hash: the record                                        until it is deleted
//	                               Its field folder begins the names of all blobs of the record and its session, and ends in a
//	                               slash; another record of that id has another one. They are removed with the record.
//	record:token:<hash>            id of the record whose session's token has that hash    until it is deleted
//	list:<kind>:<status>:<account> records of that kind and status, by <created>:<id>      while there are any
//	metadata:<value>               records with a value of custom metadata, likewise       while there are any
//	finished                       records by their end                                    until they are deleted
//	archive                        records by when what is large is to leave the server    until it has left
//	removals                       folders of blobs to be emptied by when that was wanted  until they are empty
//	removals:late                  folders by when they are to be emptied once more        until they are empty
//	erase                          the time of the last deletion                           until an AOF rewrite is begun for it
//	erased                         the time at which the last rewrite was begun            for ever
//
//	due                            live, unfinished records by when Adopt lists them       until they are finished
//	session:<id>                   hash: claim (nonce, generation, node, until, seized),   until the record is deleted
//	                               size and start of the tail, end of the segments, number of the last event, what was
//	                               confirmed, the archive of the events and the last number in it, and the number of the
//	                               server that is known to have all that the holder was told to be durable
//	session:<id>:tail              the end of the journal, in pieces                       until a segment or archive has it
//	session:<id>:segments          the manifest: start, end and object of each segment     until the record is deleted
//	session:<id>:events            stream: the event log, by number                        until a page or the archive has it
//	session:<id>:pages             number before the first, last number and object of      until archived
//	                               each page of events in blob storage
//	session:<id>:checkpoints       hash: lane to checkpoint                                until archived
//	session:<id>:sent              boundaries that may have been acknowledged              until confirmed or archived
//	session:<id>:tokens            hashes of the tokens for the session by name, by end    until it is deleted
//	session:<id>:silences          places of silence                                       until archived
//	server                         hash: run id, since when it is known, epoch; number of  for ever
//	                               servers that began in another's place, and of each of the last 100 times: the former
//	                               one's last sign of life, how long before that what it told may be unknown, and when
//
//	account:<account>              stream: session and number of events of the account     the last 10000
//	accounts                       hash: account to the number of its last event           for ever
//	accounts:trimmed               hash: account to the last number that is not kept       for ever
//
//	upload:<upload>                hash: the upload                                        until it is deleted
//	upload:<upload>:records        ids of the records that refer to it                     while there are any
//	unused                         uploads that no record refers to, by their creation     while there are any
//	held                           hash: API key's hash to the bytes of its uploads and    while there are any
//	                               finished recordings
//	arriving                       folders of uploads by when they were begun              until committed or given up
//
//	kept, kept:saved               number of changes of API keys and secrets, and that at    for ever
//	                               which they were written to blob storage
//	kept:history                   the name of the object in blob storage that has them    for ever
//	keys                           API keys' hashes by their creation                      until they are removed
//	key:<hash>                     hash: an API key                                        until it is removed
//	key:<hash>:tokens              hashes of the tokens made with it by their end          while there are any
//	token:<hash>                   hash: a token                                           some time after its end
//	token:id:<token>               hash of the token of that id                            likewise
//	tokens                         hashes of all tokens by their end                       while there are any
//	tokens:<account>               those of an account by their creation                   while there are any
//	ticket:<hash>                  hash: a ticket                                          until used, or after its end
//	tickets                        hashes of all tickets by their end                      while there are any
//	tickets:<hash>                 those of a credential by their end                      while there are any
//	secrets                        accounts that have secrets of callbacks                 while they have
//	secrets:<account>              their secrets, newest first                             until they are removed
//	secrets:times:<account>        hash: secret to the time of its creation                likewise
//
//	job:<id>                       hash: the job's account, kind, attempts and lease       until the record is finished
//	queue:<kind>:free:<account>    jobs that may be taken, by the record's age             while there are any
//	queue:<kind>:leases            jobs under a lease, by its end                          while there are any
//	queue:<kind>:running           hash: account to number of its jobs under a lease       while there are any
//	queue:<kind>:turns             accounts with free jobs, by whose turn it is            while there are any
//	queue:<kind>:served            accounts by when they were served last                  the last 16384
//	queue:<kind>:places            hash: how many accounts arrived, and were served        for ever
//
//	seen                           when a worker asked for jobs last                       for ever
//	grace                          until when no lease of a job ends after an outage       for ever
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
//	deliveries:arrived             deliveries by when they were sent                       until pruned, the last 100,000
//
//	nodes                          names of nodes by when their reports end                until then
//	clocks                         hash: how far the clock of a node is ahead, in ms       likewise
//	node:<name>                    what the node counts, as MessagePack                    likewise
//
// Channels, see wakes:
//
//	wake:queue                     a job may have become one that can be taken
//	wake:outbox                    a delivery may have become due
//	wake:claims:<node>             the claim of that node on the session named may have ended
//	wake:session:<id>              an event was logged, or the record deleted
//	wake:unlogged:<id>             an event of the session that is not logged, see feed
//	wake:account:<account>         an event was added to the account's log
