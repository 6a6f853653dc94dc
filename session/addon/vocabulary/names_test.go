package vocabulary

import "strings"

// unspoken are names that occur in no recording.
var unspoken = strings.Split("Kubernetes,PostgreSQL,Grafana,Prometheus,Terraform,Ansible,Elasticsearch,Kafka,Redis,RabbitMQ,MongoDB,"+
	"Cassandra,Snowflake,Databricks,Tableau,Salesforce,HubSpot,Zendesk,Atlassian,Confluence,Figma,Dropbox,"+
	"Spotify,Netflix,TikTok,GPT-4,AWS,S3,gRPC,OAuth,iPhone,PyTorch,Siobhan,Niamh,Thibault,Gonzalez,Fitzgerald,"+
	"Venkataraman,Kowalski,Takahashi,O'Sullivan,Abernathy,Dvorak,Szymanski,Rasmussen,Papadopoulos,Okonkwo,"+
	"Castellano,Whitfield,Montgomery Burns,Acme Widgets,Velcro,Xerox,Lufthansa,Ibuprofen,Paracetamol,Metformin,"+
	"Adalimumab,Zyrtec,Tylenol,Volkswagen,Lamborghini,Heathrow,Reykjavik,Ljubljana,Saskatoon,Wellington,"+
	"Tegucigalpa,Kilimanjaro,Bulgari,Datadog,Splunk,Jenkins,GitHub,GitLab,Bitbucket,Jira,Trello,Asana,Miro,"+
	"Vercel,Cloudflare,Heroku,DigitalOcean,Hashicorp,Airflow,ClickHouse,CockroachDB,DynamoDB,Lambda,EC2,CUDA,"+
	"TensorFlow,Jupyter,Pandas,NumPy,Anthropic,Mistral,Nvidia,Qualcomm,Logitech,Samsung,Huawei,Xiaomi,Toyota,"+
	"Hyundai,Porsche,Maserati,Pfizer,AstraZeneca,Novartis,Omeprazole,Atorvastatin,Amoxicillin,Lisinopril,"+
	"Warfarin,Nguyen,Patel,Kaczmarek,Johansson,Bjornsdottir,Mukherjee,Chukwuemeka,Hernandez,Rodriguez,Lefebvre,"+
	"Schwarzenegger,Oberholzer,Yamamoto,Fernando Alonso,Eleanor Rigby,Tbilisi,Marrakesh,Antananarivo,Winnipeg,"+
	"Zapier,Notion,Airtable,Webflow,Shopify,Magento,WordPress,Drupal,Joomla,Twilio,SendGrid,Mailchimp,Marketo,"+
	"Workday,Okta,Keycloak,Istio,Envoy,Consul,Nomad,Vagrant,Podman,Debian,Ubuntu,Fedora,CentOS,Raspberry Pi,"+
	"Arduino,Bluetooth,Ethernet,Haskell,Erlang,Elixir,Clojure,Scala,Kotlin,Rust,Golang,Perl,Fortran,Bernoulli,"+
	"Fibonacci,Dijkstra,Szczepanski,Wojciechowski,Andersson,Lindqvist,Kristofferson,Delacroix,Beaumont,"+
	"Cartwright,Pemberton,Lockwood,Hathaway,Ellsworth,Tanaka,Suzuki,Kobayashi,Srinivasan,Krishnamurthy,"+
	"Chakraborty,Abdullah,Rahman,Olufemi,Mbeki,Gutierrez,Dominguez,Zoloft,Prozac,Xanax,Ozempic,Humira,Keytruda,"+
	"Berlin,Stuttgart,Rotterdam,Antwerp,Bratislava,Montevideo,Guadalajara", ",")
