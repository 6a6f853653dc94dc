package vocabulary

import "strings"

// unspoken are names that nobody says in any recording.
var unspoken = strings.Split("Kubernetes,PostgreSQL,Grafana,Prometheus,Terraform,Ansible,Elasticsearch,Kafka,Redis,RabbitMQ,"+
	"MongoDB,Cassandra,Snowflake,Databricks,Tableau,Salesforce,HubSpot,Zendesk,Atlassian,Confluence,Figma,Dropbox,Spotify,"+
	"Netflix,TikTok,GPT-4,AWS,S3,gRPC,OAuth,iPhone,PyTorch,Siobhan,Niamh,Thibault,Gonzalez,Fitzgerald,Venkataraman,"+
	"Kowalski,Takahashi,O'Sullivan,Abernathy,Dvorak,Szymanski,Rasmussen,Papadopoulos,Okonkwo,Castellano,Whitfield,"+
	"Montgomery Burns,Acme Widgets,Velcro,Xerox,Lufthansa,Ibuprofen,Paracetamol,Metformin,Adalimumab,Zyrtec,Tylenol,"+
	"Volkswagen,Lamborghini,Heathrow,Reykjavik,Ljubljana,Saskatoon,Wellington,Tegucigalpa,Kilimanjaro,Bulgari", ",")
