// What libstdc++ keeps out of its headers and writes in the program's containers: the links of the nodes of
// std::map, std::set and std::list. All else that containers do is in the headers, and instrumented there.

#include <cstddef>
#include <cstdint>

#include "frontends/c_library/intercept.hpp"

using namespace anyorder::frontends::c_library;  // NOLINT(google-build-using-namespace): definitions only
                                                 // follow

// The functions as the linker knows them.
#define ANYORDER_TREE_INSERT "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_"
#define ANYORDER_TREE_ERASE "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_"
#define ANYORDER_LIST_HOOK "_ZNSt8__detail15_List_node_base7_M_hookEPS0_"
#define ANYORDER_LIST_UNHOOK "_ZNSt8__detail15_List_node_base9_M_unhookEv"
#define ANYORDER_LIST_TRANSFER "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_"

namespace {

// As the library's ABI has them.
struct TreeNode {
  int color;
  TreeNode* parent;
  TreeNode* left;
  TreeNode* right;
};
struct ListNode {
  ListNode* next;
  ListNode* previous;
};

Hidden<void(bool, TreeNode*, TreeNode*, TreeNode*)> hidden_insert(ANYORDER_TREE_INSERT);
Hidden<TreeNode*(TreeNode*, TreeNode*)> hidden_erase(ANYORDER_TREE_ERASE);
Hidden<void(ListNode*, ListNode*)> hidden_hook(ANYORDER_LIST_HOOK);
Hidden<void(ListNode*)> hidden_unhook(ANYORDER_LIST_UNHOOK);
Hidden<void(ListNode*, ListNode*, ListNode*)> hidden_transfer(ANYORDER_LIST_TRANSFER);
[[gnu::constructor(101)]] void find_containers() {
  find_ahead(hidden_insert, hidden_erase, hidden_hook, hidden_unhook, hidden_transfer);
}

constexpr std::size_t kLink = sizeof(void*);

void writes_links(std::uintptr_t caller, const TreeNode* node) {
  if (node != nullptr) writes(caller, &node->parent, 3 * kLink);
}

}  // namespace

// The header node has the root, the leftmost and the rightmost node, one of which every search begins with;
// which further nodes a rotation touches is left open.
ANYORDER_INTERCEPTED void tree_insert(bool left, TreeNode* node, TreeNode* parent,
                                      TreeNode* header) asm(ANYORDER_TREE_INSERT);
void tree_insert(bool left, TreeNode* node, TreeNode* parent, TreeNode* header) {
  writes_links(ANYORDER_CALLER, node);
  writes(ANYORDER_CALLER, left ? &parent->left : &parent->right, kLink);
  writes_links(ANYORDER_CALLER, header);
  hidden_insert(left, node, parent, header);
}

ANYORDER_INTERCEPTED TreeNode* tree_erase(TreeNode* node, TreeNode* header) asm(ANYORDER_TREE_ERASE);
TreeNode* tree_erase(TreeNode* node, TreeNode* header) {
  writes_links(ANYORDER_CALLER, node);
  writes_links(ANYORDER_CALLER, node->parent);
  writes_links(ANYORDER_CALLER, header);
  return hidden_erase(node, header);
}

ANYORDER_INTERCEPTED void list_hook(ListNode* node, ListNode* before) asm(ANYORDER_LIST_HOOK);
void list_hook(ListNode* node, ListNode* before) {
  writes(ANYORDER_CALLER, node, sizeof(ListNode));
  writes(ANYORDER_CALLER, &before->previous->next, kLink);
  writes(ANYORDER_CALLER, &before->previous, kLink);
  hidden_hook(node, before);
}

ANYORDER_INTERCEPTED void list_unhook(ListNode* node) asm(ANYORDER_LIST_UNHOOK);
void list_unhook(ListNode* node) {
  reads(ANYORDER_CALLER, node, sizeof(ListNode));
  writes(ANYORDER_CALLER, &node->next->previous, kLink);
  writes(ANYORDER_CALLER, &node->previous->next, kLink);
  hidden_unhook(node);
}

ANYORDER_INTERCEPTED void list_transfer(ListNode* before, ListNode* first,
                                        ListNode* last) asm(ANYORDER_LIST_TRANSFER);
void list_transfer(ListNode* before, ListNode* first, ListNode* last) {
  if (before != last) {
    writes(ANYORDER_CALLER, &before->previous->next, kLink);
    writes(ANYORDER_CALLER, &before->previous, kLink);
    writes(ANYORDER_CALLER, &first->previous->next, kLink);
    writes(ANYORDER_CALLER, &first->previous, kLink);
    writes(ANYORDER_CALLER, &last->previous->next, kLink);
    writes(ANYORDER_CALLER, &last->previous, kLink);
  }
  hidden_transfer(before, first, last);
}
