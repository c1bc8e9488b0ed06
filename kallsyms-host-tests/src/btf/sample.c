/* Every kind of type that a compiler makes of C. */
typedef unsigned int u32;
typedef unsigned long long u64;

enum color { RED, GREEN = 5, BLUE = -3 };
enum wide { SMALL = 1, LARGE = 0x123456789abcdefULL };

struct later;
union either {
	u32 number;
	float ratio;
	double precise;
};

struct node {
	struct node *next;
	const char *name;
	volatile u64 count;
	unsigned int flag : 1;
	int narrow : 7;
	u64 split_over : 40;
	enum color color;
	union {
		int first;
		struct {
			short low, high;
		};
	};
	union either either;
	int (*compare)(const struct node *one, const struct node *other);
	void (*variadic)(int count, ...);
	int table[3][4];
	struct later *later;
	char flexible[];
} __attribute__((packed));

typedef int (*callback_t)(struct node *node, void *context);
typedef struct {
	callback_t call;
	void *context;
} closure_t;
typedef u32 row_t[8];

struct node head;
static closure_t closures[2];
const char *const restrict_me = "name";
enum wide wide = LARGE;
_Bool truth;
row_t rows;

static int visit(struct node *restrict node, callback_t call, row_t row)
{
	return call(node, closures[row[0] & 1].context);
}

int walk(struct node *node, enum color color, enum wide width, union either either)
{
	u32 row[8] = { color, width, either.number };
	return visit(node, closures[1].call, row) + (head.next != 0);
}

long long nothing(void)
{
	return truth;
}
